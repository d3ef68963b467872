import { controller } from 'homeostat'
import { PersistentVolumeClaim } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/**
 * Makes a claim for each node and removes none when the number of nodes falls. The next growth reuses old data, as
 * with zookeeper-operator and elassandra-operator.
 */
export const leavesVolumes: CorpusOperator = {
  title: 'leaves the claims of nodes that the spec no longer has',
  classes: ['history'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(PersistentVolumeClaim)
        .writes(PersistentVolumeClaim, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          for (let node = 0; node < database.spec.nodes; node++) {
            const resources = { requests: { storage: '1Gi' } }
            await client.apply(PersistentVolumeClaim, {
              metadata: childOf(database, `-${node}`),
              spec: { accessModes: ['ReadWriteOnce'], resources },
            })
          }
        }),
    ),
}
