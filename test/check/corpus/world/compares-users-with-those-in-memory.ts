import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/**
 * Finds out which users were removed by comparing with the spec that it saw before, in memory: kopf's `old` and `new`.
 * A user who is removed while the operator is down keeps the account.
 */
export const comparesWithMemory: CorpusOperator = {
  title: 'finds removed users by the spec that it remembers',
  classes: ['downtime', 'crash', 'failed-request', 'stale-cache', 'combination'],
  operator: () => {
    const before = new Map<string, readonly string[]>()
    return databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database || database.metadata.deletionTimestamp) return
          const users = database.spec.users ?? []
          const removed = before.get(key.name)?.filter((user) => !users.includes(user)) ?? []
          for (const user of removed) await client.delete(ConfigMap, childOf(database, `-user-${user}`))
          for (const user of users)
            await client.apply(ConfigMap, { metadata: childOf(database, `-user-${user}`) })
          before.set(key.name, users)
        }),
    )
  },
}
