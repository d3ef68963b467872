import { controller, TerminalError } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Reports an impossible combination in the status and does nothing for it; the next change of the spec calls it again. */
export const refusesImpossible: CorpusOperator = {
  title: 'reports an impossible spec and goes on when it is corrected',
  classes: [],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply', 'delete')
        .writes(Database, 'status.apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database || database.metadata.deletionTimestamp) return
          const { nodes, storageGi } = database.spec
          if (nodes === 3 && storageGi < 5) {
            const found = await client.live.get(ConfigMap, key)
            const isOwn = found?.metadata.ownerReferences?.some(({ uid }) => uid === database.metadata.uid)
            if (isOwn) await client.delete(ConfigMap, key)
            await client.status.apply(Database, key, { phase: 'Impossible' })
            throw new TerminalError('three nodes need at least 5 Gi')
          }
          await client.apply(ConfigMap, { metadata: childOf(database), data: { nodes: String(nodes) } })
          await client.status.apply(Database, key, { phase: 'Running' })
        }),
    ),
}
