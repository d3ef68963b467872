import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

const FINALIZER = 'corpus.example.com/settings'

/** `if err := r.Get(ctx, key, cm); err != nil { return err }` in the clean-up: a child that is gone already blocks the deletion. */
export const keepsFinalizer: CorpusOperator = {
  title: 'fails to clean up when the ConfigMap is gone already',
  classes: ['deletion-stuck', 'always-fails', 'crash', 'failed-request', 'left-behind'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .watches(ConfigMap, ({ metadata: { namespace, name } }) => ({ namespace, name }))
        .writes(App, 'patch')
        .reads(ConfigMap)
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { deletionTimestamp, finalizers = [], uid } = app.metadata
          if (deletionTimestamp) {
            if (!finalizers.includes(FINALIZER)) return
            const child = await client.live.getOrThrow(ConfigMap, key)
            await client.delete(ConfigMap, child.metadata)
            const others = finalizers.filter((name) => name !== FINALIZER)
            await client.patch(App, key, { type: 'merge', body: { metadata: { uid, finalizers: others } } })
            return
          }
          const found = await client.live.get(ConfigMap, key)
          if (found?.metadata.ownerReferences) throw new Error('the ConfigMap belongs to another controller')
          if (!finalizers.includes(FINALIZER)) {
            const metadata = { uid, finalizers: [...finalizers, FINALIZER] }
            await client.patch(App, key, { type: 'merge', body: { metadata } })
          }
          await client.apply(ConfigMap, { metadata: key, data: { image: app.spec.image } })
        }),
    ),
}
