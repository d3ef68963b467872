import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** `if app.Status.Phase == "Created" { return }`: the status says what was done once, not what is there. */
export const trustsStatus: CorpusOperator = {
  title: 'takes its own status for the sign that its child exists',
  classes: ['not-healed', 'history'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app || app.status?.phase === 'Created') return
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          await client.status.apply(App, key, { phase: 'Created' })
        }),
    ),
}
