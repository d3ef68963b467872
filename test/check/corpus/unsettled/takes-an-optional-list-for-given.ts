import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator, type Database as DatabaseObject } from '../kinds.ts'

/**
 * Takes the optional list of users for given, since the sample has it: the operator dies of a nil pointer for every
 * other object, the bug that Acto reported most often.
 */
export const takesUsersForGiven: CorpusOperator = {
  title: 'takes an optional list of the spec for given',
  classes: ['always-fails'],
  operator: () => {
    const firstOf = ({ spec }: DatabaseObject): string => {
      const [first] = spec.users as string[]
      return first ?? 'none'
    }
    return databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          await client.apply(ConfigMap, { metadata: childOf(database), data: { admin: firstOf(database) } })
        }),
    )
  },
}
