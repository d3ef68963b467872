import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

/**
 * Ends a deletion by `finalizers: null`, and so removes the finalizers of other controllers too, which then never
 * clean up. Many operators have a helper that does this "to unblock deletions".
 */
export const clearsFinalizers: CorpusOperator = {
  title: 'removes the finalizers of others with its own',
  classes: ['foreign-field-lost', 'not-isolated'],
  operator: () =>
    appOperator(
      controller('apps')
        .for(App)
        .owns(ConfigMap)
        .writes(App, 'patch')
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const app = await client.get(App, key)
          if (!app) return
          const { deletionTimestamp, finalizers = [] } = app.metadata
          if (deletionTimestamp) {
            await client.patch(App, key, { type: 'merge', body: { metadata: { finalizers: null } } })
            return
          }
          if (!finalizers.includes('corpus.example.com/app')) {
            const metadata = { finalizers: [...finalizers, 'corpus.example.com/app'] }
            await client.patch(App, key, { type: 'merge', body: { metadata } })
          }
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    ),
}
