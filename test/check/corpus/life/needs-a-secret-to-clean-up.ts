import { controller, FinalizerRegistry } from 'homeostat'
import { ConfigMap, Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/**
 * Needs the password of the Secret that the spec names to drop the database. When the Secret is deleted first, the
 * Database can never be deleted, as in vault-config-operator when a whole namespace goes.
 */
export const needsSecret: CorpusOperator = {
  title: 'cannot be deleted once the Secret that it names is gone',
  classes: ['deletion-stuck', 'reference'],
  operator: () => {
    const finalizers = new FinalizerRegistry(Database).register(
      'corpus.example.com/drop',
      async ({ metadata: { namespace }, spec }, { client }) => {
        const { data } = await client.getOrThrow(Secret, { namespace, name: spec.passwordSecret })
        if (!data?.['password']) throw new Error('no password to log in with')
      },
    )
    return databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .watches(Secret, async ({ metadata: { namespace, name } }, { client }) => {
          const all = await client.list(Database, { namespace })
          return all
            .filter(({ spec }) => spec.passwordSecret === name)
            .map(({ metadata }) => ({ namespace, name: metadata.name }))
        })
        .uses(finalizers)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, context) => {
          const { client } = context
          const database = await client.get(Database, key)
          if (!database) return
          const { deleting } = await finalizers.finalize(client, database, context)
          if (!deleting)
            await client.apply(ConfigMap, {
              metadata: childOf(database),
              data: { version: database.spec.version },
            })
        }),
    )
  },
}
