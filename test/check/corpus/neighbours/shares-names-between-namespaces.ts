import { controller, FinalizerRegistry, keyOf } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator } from '../kinds.ts'

/**
 * Keeps a record of each App in one central namespace, named after the App without its namespace. Two Apps of one name
 * in two namespaces write the same record, and the deletion of one deletes that of the other.
 */
export const sharesNames: CorpusOperator = {
  title: 'names central records without the namespace of their owners',
  classes: ['not-isolated', 'endless-loop'],
  operator: () => {
    const recordOf = (name: string) => ({ namespace: 'kube-system', name: `app-${name}` })
    const finalizers = new FinalizerRegistry(App).register(
      'corpus.example.com/record',
      async ({ metadata }, { client }) => {
        await client.delete(ConfigMap, recordOf(metadata.name))
      },
    )
    return appOperator(
      controller('apps')
        .for(App)
        .uses(finalizers)
        .watches(ConfigMap, async ({ metadata }, { client }) => {
          const apps = await client.list(App)
          return apps.map(keyOf).filter(({ name }) => metadata.name === recordOf(name).name)
        })
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, context) => {
          const { client } = context
          const app = await client.get(App, key)
          if (!app) return
          const { deleting } = await finalizers.finalize(client, app, context)
          if (!deleting)
            await client.apply(ConfigMap, { metadata: recordOf(key.name), data: { image: app.spec.image } })
        }),
    )
  },
}
