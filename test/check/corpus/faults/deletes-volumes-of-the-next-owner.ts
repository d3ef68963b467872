import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { Database, databaseOperator } from '../kinds.ts'

const FINALIZER = 'corpus.example.com/volumes'

/**
 * Deletes the volumes of a Database that is being deleted, by their names. A new process that first sees the deletion
 * of an earlier Database of the name deletes the volumes of the present one, as zookeeper-operator once did.
 */
export const deletesByName: CorpusOperator = {
  title: 'deletes volumes by name when it sees the deletion of an earlier owner',
  classes: ['stale-cache', 'recreation'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .watches(ConfigMap, ({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
        .writes(Database, 'patch')
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const { deletionTimestamp, finalizers = [] } = database.metadata
          if (deletionTimestamp) {
            await client.delete(ConfigMap, key)
            const others = finalizers.filter((name) => name !== FINALIZER)
            await client.patch(Database, key, { type: 'merge', body: { metadata: { finalizers: others } } })
            return
          }
          if (!finalizers.includes(FINALIZER)) {
            const metadata = { finalizers: [...finalizers, FINALIZER] }
            await client.patch(Database, key, { type: 'merge', body: { metadata } })
          }
          const found = await client.live.get(ConfigMap, key)
          if (found?.metadata.ownerReferences) throw new Error(`${key.name} belongs to another controller`)
          await client.apply(ConfigMap, { metadata: key, data: { size: String(database.spec.storageGi) } })
        }),
    ),
}
