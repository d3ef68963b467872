import { controller, FinalizerRegistry } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/** Marks its child as archived in the finalizer. If the child was deleted before, the patch fails, and so does the deletion. */
export const marksChild: CorpusOperator = {
  title: 'fails to be deleted when its child was deleted before',
  classes: ['deletion-stuck'],
  operator: () => {
    const finalizers = new FinalizerRegistry(App).register(
      'corpus.example.com/archive',
      async ({ metadata: { namespace, name } }, { client }) => {
        const body = { metadata: { annotations: { 'corpus.example.com/archived': 'true' } } }
        await client.patch(ConfigMap, { namespace, name }, { type: 'merge', body })
      },
    )
    return appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .uses(finalizers)
        .writes(ConfigMap, 'apply', 'patch')
        .reconcile(async (key, context) => {
          const { client } = context
          const app = await client.get(App, key)
          if (!app) return
          const { deleting } = await finalizers.finalize(client, app, context)
          if (!deleting)
            await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    )
  },
}
