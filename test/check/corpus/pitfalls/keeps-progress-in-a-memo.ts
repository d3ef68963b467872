import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** kopf style: the steps that are done are kept in a memo of the process, and each call does the next one. */
export const keepsProgress: CorpusOperator = {
  title: 'keeps the steps that are done in the memory of the process',
  classes: ['not-healed', 'crash', 'history', 'downtime'],
  operator: () => {
    const memo = new Map<string, number>()
    return databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return undefined
          const { uid } = database.metadata
          const step = memo.get(uid) ?? 0
          const suffix = ['-users', '-schema', '-views'][step]
          if (!suffix) return undefined
          await client.apply(ConfigMap, {
            metadata: childOf(database, suffix),
            data: { version: database.spec.version },
          })
          memo.set(uid, step + 1)
          return { requeue: true }
        }),
    )
  },
}
