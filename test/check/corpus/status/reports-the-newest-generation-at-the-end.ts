import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Reads the object once more before it writes the status, to avoid a conflict, and reports the generation of that
 * read. A change that came in between counts as observed and was not acted on.
 */
export const reportsNewest: CorpusOperator = {
  title: 'reports the generation of a second read at the end',
  classes: ['status-ahead', 'interleaving'],
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
          const generation = (await client.live.get(App, key))?.metadata.generation
          if (generation !== undefined)
            await client.status.apply(App, key, { observedGeneration: generation })
        }),
    ),
}
