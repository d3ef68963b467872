import { controller, predicates } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Filters the events of its ConfigMaps by `generationChanged`, although ConfigMaps have no generation. This predicate
 * lets every change of such objects pass, so edits are healed.
 */
export const filtersByGeneration: CorpusOperator = {
  title: 'filters the events of ConfigMaps, which have no generation, by it',
  classes: [],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap, { predicate: predicates.generationChanged })
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (app) await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    ),
}
