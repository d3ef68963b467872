import { controller, FinalizerRegistry } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { Database, databaseOperator } from '../kinds.ts'

/**
 * Applies a Secret under a usual name without an owner reference and deletes it in a finalizer. A Secret of that name
 * which another controller owns is overwritten, and then deleted, as operators for certificates once did.
 */
export const overwritesSecret: CorpusOperator = {
  title: 'writes into a Secret that another controller owns, and deletes it',
  classes: ['takes-over', 'not-isolated'],
  operator: () => {
    const finalizers = new FinalizerRegistry(Database).register(
      'corpus.example.com/dsn',
      async ({ metadata: { namespace, name } }, { client }) => {
        await client.delete(Secret, { namespace, name })
      },
    )
    return databaseOperator(
      controller('databases')
        .for(Database)
        .watches(Secret, ({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
        .uses(finalizers)
        .writes(Secret, 'apply', 'delete')
        .reconcile(async (key, context) => {
          const found = await context.client.get(Database, key)
          if (!found) return
          const { deleting } = await finalizers.finalize(context.client, found, context)
          if (!deleting)
            await context.client.apply(Secret, { metadata: key, data: { dsn: btoa(`db://${key.name}`) } })
        }),
    )
  },
}
