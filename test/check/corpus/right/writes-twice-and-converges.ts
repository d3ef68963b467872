import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Writes its child and then the status, which calls it again: the second time nothing differs, and nothing is sent. */
export const writesTwice: CorpusOperator = {
  title: 'is called again by both of its writes, and then sends nothing',
  classes: [],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
          const { generation = 0 } = app.metadata
          await client.status.apply(App, key, { phase: 'Made', observedGeneration: generation })
        }),
    ),
}
