import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** `@kopf.on.create(retries=1)`: an attempt is counted before it is made, and after the last one nothing is tried. */
export const givesUp: CorpusOperator = {
  title: 'counts its attempts in the status and gives up after the first',
  classes: ['crash', 'failed-request', 'not-healed'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .reads(ConfigMap)
        .writes(ConfigMap, 'apply')
        .writes(App, 'status.apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const tried = app.status?.observedGeneration
          if (tried === app.metadata.generation && !(await client.live.get(ConfigMap, key))) return
          await client.status.apply(App, key, { observedGeneration: app.metadata.generation })
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    ),
}
