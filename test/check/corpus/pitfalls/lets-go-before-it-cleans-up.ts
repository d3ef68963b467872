import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

const FINALIZER = 'corpus.example.com/settings'

/** Go style: removes the finalizer first and cleans up afterwards. After a failure in between, no object is left to be called for. */
export const letsGoFirst: CorpusOperator = {
  title: 'removes its finalizer before it cleans up',
  classes: ['left-behind', 'crash', 'failed-request'],
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
          const found = await client.live.get(ConfigMap, key)
          if (deletionTimestamp) {
            const others = finalizers.filter((name) => name !== FINALIZER)
            await client.patch(App, key, { type: 'merge', body: { metadata: { uid, finalizers: others } } })
            if (found?.data?.['uid'] === uid) await client.delete(ConfigMap, key)
            return
          }
          if (found?.metadata.ownerReferences) throw new Error('the ConfigMap belongs to another controller')
          if (!finalizers.includes(FINALIZER)) {
            const metadata = { uid, finalizers: [...finalizers, FINALIZER] }
            await client.patch(App, key, { type: 'merge', body: { metadata } })
          }
          await client.apply(ConfigMap, { metadata: key, data: { uid, image: app.spec.image } })
        }),
    ),
}
