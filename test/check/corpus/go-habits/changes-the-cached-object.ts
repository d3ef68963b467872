import { isDeepStrictEqual } from 'node:util'
import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** `cm.Data = wanted; r.Update(ctx, cm)` on what the lister returned, without a DeepCopy: the client finds nothing to send. */
export const changesCachedObject: CorpusOperator = {
  title: 'writes into the object that the cache returned',
  classes: ['not-healed', 'always-fails', 'failed-request'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create', 'update')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { labels, ownerReferences, ...metadata } = childOf(app)
          const data = { image: app.spec.image }
          const found = await client.get(ConfigMap, key)
          if (!found) {
            await client.create(ConfigMap, { metadata: { ...metadata, labels, ownerReferences }, data })
            return
          }
          const isRight = [
            isDeepStrictEqual(found.data, data),
            isDeepStrictEqual(found.metadata.labels, { ...found.metadata.labels, ...labels }),
            isDeepStrictEqual(found.metadata.ownerReferences, ownerReferences),
          ]
          if (isRight.every(Boolean)) return
          const cached = found as { data?: object; metadata: { labels?: object; ownerReferences?: object } }
          cached.data = data
          cached.metadata.labels = { ...found.metadata.labels, ...labels }
          cached.metadata.ownerReferences = ownerReferences
          await client.update(ConfigMap, found)
        }),
    ),
}
