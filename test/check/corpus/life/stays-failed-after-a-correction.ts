import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/**
 * Puts a Database that asks for more than one node and less than 5 Gi into the phase `Failed`, and returns early for
 * objects in that phase. The corrected spec is never looked at, as Acto found in cass-operator and others.
 */
export const staysFailed: CorpusOperator = {
  title: 'returns early in the phase Failed, also after the spec was corrected',
  classes: ['history'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .writes(Database, 'status.apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database || database.status?.phase === 'Failed') return
          const { nodes, storageGi } = database.spec
          if (nodes > 1 && storageGi < 5) {
            await client.status.apply(Database, key, { phase: 'Failed' })
            return
          }
          await client.apply(ConfigMap, {
            metadata: childOf(database),
            data: { nodes: String(nodes), size: String(storageGi) },
          })
          await client.status.apply(Database, key, { phase: 'Running' })
        }),
    ),
}
