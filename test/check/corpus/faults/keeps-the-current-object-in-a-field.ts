import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf, type App as AppObject } from '../kinds.ts'

/**
 * A class with the current object in a field, translated from Go: `r.instance = …`. With two workers a reconcile
 * writes the child of one App with the data of another, as several operators did before they set one worker.
 */
export const sharesField: CorpusOperator = {
  title: 'keeps the current object in a field that all workers share',
  classes: ['interleaving', 'not-isolated'],
  operator: () => {
    class Reconciler {
      instance: AppObject | undefined
    }
    const shared = new Reconciler()
    return appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .options({ maxConcurrentReconciles: 2 })
        .reads(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          shared.instance = await client.get(App, key)
          if (!shared.instance) return
          const metadata = childOf(shared.instance)
          await client.live.get(ConfigMap, key)
          await client.apply(ConfigMap, { metadata, data: { image: shared.instance?.spec.image ?? '' } })
        }),
    )
  },
}
