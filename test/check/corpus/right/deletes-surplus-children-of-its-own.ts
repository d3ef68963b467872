import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Deletes the ConfigMaps of nodes that the spec no longer has, by owner and name: it looks like deleting by prefix, and is not. */
export const deletesSurplus: CorpusOperator = {
  title: 'deletes surplus children that carry its uid',
  classes: [],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database || database.metadata.deletionTimestamp) return
          const size = String(database.spec.storageGi)
          for (let node = 0; node < 3; node++) {
            const metadata = childOf(database, `-node-${node}`)
            if (node < database.spec.nodes) await client.apply(ConfigMap, { metadata, data: { size } })
            else {
              const surplus = await client.live.get(ConfigMap, metadata)
              const isOwn = surplus?.metadata.ownerReferences?.some(
                ({ uid }) => uid === database.metadata.uid,
              )
              if (surplus && isOwn) {
                const { uid } = surplus.metadata
                await client.delete(ConfigMap, metadata, { preconditions: { uid } })
              }
            }
          }
        }),
    ),
}
