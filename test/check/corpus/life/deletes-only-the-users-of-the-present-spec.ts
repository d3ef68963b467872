import { controller, FinalizerRegistry } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { Database, databaseOperator } from '../kinds.ts'

/**
 * Makes a Secret without an owner for each user, and its finalizer deletes the Secrets of the users that the spec has
 * now. The Secret of a user who was removed earlier stays for ever.
 */
export const deletesPresentUsers: CorpusOperator = {
  title: 'cleans up by the present spec, and leaves what an earlier one asked for',
  classes: ['left-behind', 'history'],
  operator: () => {
    const nameOf = (database: string, user: string): string => `${database}.${user}`
    const finalizers = new FinalizerRegistry(Database).register(
      'corpus.example.com/users',
      async ({ metadata: { namespace, name }, spec }, { client }) => {
        for (const user of spec.users ?? [])
          await client.delete(Secret, { namespace, name: nameOf(name, user) })
      },
    )
    return databaseOperator(
      controller('databases')
        .for(Database)
        .uses(finalizers)
        .watches(Secret, ({ metadata: { namespace, name } }) => ({
          namespace,
          name: name.split('.')[0] ?? name,
        }))
        .writes(Secret, 'apply', 'delete')
        .reconcile(async (key, context) => {
          const { client } = context
          const database = await client.get(Database, key)
          if (!database) return
          const { deleting } = await finalizers.finalize(client, database, context)
          if (deleting) return
          for (const user of database.spec.users ?? []) {
            const metadata = { namespace: key.namespace, name: nameOf(key.name, user) }
            await client.apply(Secret, { metadata, data: { user: btoa(user) } })
          }
        }),
    )
  },
}
