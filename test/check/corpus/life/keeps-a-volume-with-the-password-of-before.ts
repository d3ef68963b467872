import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { Database, databaseOperator } from '../kinds.ts'

/**
 * Keeps the volume when a Database is deleted, as intended, and marks it with the uid of its owner. A Database that comes back under
 * its name finds a volume of another uid and refuses to use it, as zookeeper-operator did with old claims.
 */
export const refusesOldVolume: CorpusOperator = {
  title: 'refuses the kept volume of an earlier object of the same name',
  classes: ['recreation', 'always-fails'],
  options: { keeps: [{ kind: 'ConfigMap', reason: 'data outlives the database' }] },
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .reads(ConfigMap)
        .writes(ConfigMap, 'create')
        .writes(Database, 'status.apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database || database.metadata.deletionTimestamp) return
          const { uid } = database.metadata
          const found = await client.live.get(ConfigMap, key)
          if (!found) await client.create(ConfigMap, { metadata: key, data: { owner: uid } })
          const isUsable = !found || found.data?.['owner'] === uid
          await client.status.apply(Database, key, { phase: isUsable ? 'Running' : 'ForeignVolume' })
        }),
    ),
}
