import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { App, appOperator, childOf } from '../kinds.ts'

const FINALIZER = 'corpus.example.com/record'

/**
 * Adds its finalizer by a patch and removes it by an update, and declares the patch alone. Nothing shows until the
 * first deletion, which then never ends.
 */
export const removesWithoutRight: CorpusOperator = {
  title: 'removes its finalizer by a request that it has no right to',
  classes: ['right-not-declared', 'deletion-stuck'],
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
          const { finalizers = [], deletionTimestamp } = app.metadata
          if (deletionTimestamp) {
            const others = finalizers.filter((name) => name !== FINALIZER)
            await client.update(App, { ...app, metadata: { ...app.metadata, finalizers: others } })
            return
          }
          if (!finalizers.includes(FINALIZER)) {
            const metadata = { finalizers: [...finalizers, FINALIZER] }
            await client.patch(App, key, { type: 'merge', body: { metadata } })
          }
          await client.apply(ConfigMap, { metadata: childOf(app), data: { image: app.spec.image } })
        }),
    ),
}
