import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Replaces the object with one that it built from nothing: `Update` in Go with a new struct and the old version. */
export const replacesWhole: CorpusOperator = {
  title: 'replaces its ConfigMap with one that it built from nothing',
  classes: ['foreign-field-lost'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(ConfigMap, 'create', 'update', 'delete')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const metadata = childOf(app)
          const data = { image: app.spec.image }
          const found = await client.live.get(ConfigMap, key)
          if (!found) await client.create(ConfigMap, { metadata, data })
          else {
            const { uid, resourceVersion, labels, annotations, ownerReferences } = found.metadata
            const isSame = found.data?.['image'] === data.image && Object.keys(found.data).length === 1
            const isMine =
              Object.keys(labels ?? {}).length === 1 && !annotations && ownerReferences?.length === 1
            const isWanted = labels?.['corpus.example.com/owner'] === key.name
            if (isSame && isMine && isWanted) return
            const { apiVersion, kind } = found
            await client.update(ConfigMap, {
              apiVersion,
              kind,
              metadata: { ...found.metadata, ...metadata, uid, resourceVersion, annotations: {} },
              data,
            })
          }
        }),
    ),
}
