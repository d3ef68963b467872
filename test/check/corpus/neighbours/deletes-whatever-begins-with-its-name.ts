import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/**
 * Deletes the ConfigMaps of nodes that are gone, and takes every ConfigMap whose name begins with its own for one of them. The
 * Database `orders` deletes the nodes of `orders-eu`, as casskop once did with racks of similar names.
 */
export const deletesByPrefix: CorpusOperator = {
  title: 'deletes what begins with its name, also where the name of another object does',
  classes: ['not-isolated', 'endless-loop'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database || database.metadata.deletionTimestamp) return
          const wanted = Array.from({ length: database.spec.nodes }, (_, node) =>
            childOf(database, `-${node}`),
          )
          for (const metadata of wanted) await client.apply(ConfigMap, { metadata })
          const kept = new Set(wanted.map(({ name }) => name))
          for (const { metadata } of await client.list(ConfigMap, { namespace: key.namespace })) {
            if (!metadata.name.startsWith(`${key.name}-`) || kept.has(metadata.name)) continue
            await client.delete(ConfigMap, metadata)
          }
        }),
    ),
}
