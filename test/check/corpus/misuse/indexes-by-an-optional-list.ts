import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Indexes Databases by their first user. A Database without users makes the index function throw. */
export const indexesByUser: CorpusOperator = {
  title: 'indexes objects by an optional list of their spec',
  classes: ['callback-throws', 'always-fails'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .indexes(Database, { admin: ({ spec }) => (spec.users as readonly string[]).join('+') })
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const admin = database.spec.users?.join('+') ?? ''
          await client.apply(ConfigMap, { metadata: childOf(database), data: { admin } })
        }),
    ),
}
