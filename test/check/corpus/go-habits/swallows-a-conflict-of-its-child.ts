import { controller, isConflict } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** `if apierrors.IsConflict(err) { return ctrl.Result{}, nil }`: without a requeue the change is lost. */
export const swallowsConflict: CorpusOperator = {
  title: 'returns without an error when its update meets a conflict',
  classes: ['failed-request', 'stale-cache', 'interleaving', 'combination'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create', 'update')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const wanted = { metadata: childOf(app), data: { image: app.spec.image } }
          const found = await client.get(ConfigMap, key)
          if (!found) {
            await client.create(ConfigMap, wanted)
            return
          }
          if (found.data?.['image'] === app.spec.image && found.metadata.ownerReferences) return
          try {
            const { labels, ownerReferences } = wanted.metadata
            const metadata = {
              ...found.metadata,
              labels: { ...found.metadata.labels, ...labels },
              ownerReferences,
            }
            await client.update(ConfigMap, { ...found, metadata, data: { ...found.data, ...wanted.data } })
          } catch (error) {
            if (!isConflict(error)) throw error
          }
        }),
    ),
}
