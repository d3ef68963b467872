import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

const FINALIZER = 'corpus.example.com/settings'
const there = ({ name }: { name: string }) => ({ namespace: 'kube-public', name })

/** Makes an object in another namespace, and adds the finalizer afterwards: a deletion in between leaves the object behind. */
export const addsFinalizerLast: CorpusOperator = {
  title: 'adds its finalizer after the object that it protects',
  classes: ['left-behind', 'crash', 'failed-request'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .watches(ConfigMap, ({ metadata: { name } }) => ({ namespace: 'default', name }))
        .writes(App, 'patch')
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app || key.namespace !== 'default') return
          const { deletionTimestamp, finalizers = [], uid } = app.metadata
          if (deletionTimestamp) {
            if (!finalizers.includes(FINALIZER)) return
            await client.delete(ConfigMap, there(key))
            const others = finalizers.filter((name) => name !== FINALIZER)
            await client.patch(App, key, { type: 'merge', body: { metadata: { uid, finalizers: others } } })
            return
          }
          await client.apply(ConfigMap, { metadata: there(key), data: { image: app.spec.image } })
          if (finalizers.includes(FINALIZER)) return
          const metadata = { uid, finalizers: [...finalizers, FINALIZER] }
          await client.patch(App, key, { type: 'merge', body: { metadata } })
        }),
    ),
}
