import { controller, FinalizerRegistry } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

/**
 * Keeps a record without an owner reference in another namespace, named by namespace and name, and deletes it in a finalizer if the
 * record has the uid of the App. It looks left behind, and never is.
 */
export const finalizesRecord: CorpusOperator = {
  title: 'keeps a record in another namespace and deletes it in a finalizer',
  classes: [],
  operator: () => {
    const recordOf = (key: { namespace: string; name: string }) => ({
      namespace: 'kube-system',
      name: `app.${key.namespace}.${key.name}`,
    })
    const finalizers = new FinalizerRegistry(App).register(
      'corpus.example.com/record',
      async ({ metadata }, { client }) => {
        const record = await client.live.get(ConfigMap, recordOf(metadata))
        if (record?.data?.['uid'] !== metadata.uid) return
        await client.delete(ConfigMap, recordOf(metadata), { preconditions: { uid: record.metadata.uid } })
      },
    )
    return appOperator(
      controller('apps')
        .for(App)
        .uses(finalizers)
        .watches(ConfigMap, ({ metadata }) => {
          const [, namespace, name] = /^app\.([^.]+)\.(.+)$/.exec(metadata.name) ?? []
          return namespace && name ? { namespace, name } : []
        })
        .reads(ConfigMap)
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, context) => {
          const { client } = context
          const app = await client.get(App, key)
          if (!app) return
          const { deleting } = await finalizers.finalize(client, app, context)
          if (deleting) return
          const found = await client.live.get(ConfigMap, recordOf(key))
          if (found?.metadata.ownerReferences) throw new Error('the record belongs to another controller')
          await client.apply(ConfigMap, {
            metadata: recordOf(key),
            data: { uid: app.metadata.uid, image: app.spec.image },
          })
        }),
    )
  },
}
