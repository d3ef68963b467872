import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Writes all volumes at once with `Promise.allSettled`, and does not look at what settled how. */
export const ignoresResults: CorpusOperator = {
  title: 'writes many children at once and does not look at the results',
  classes: ['failed-request'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply', 'delete')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database || database.metadata.deletionTimestamp) return
          const data = { size: String(database.spec.storageGi) }
          const suffixes = ['-node-0', '-node-1', '-node-2']
          await Promise.allSettled(
            suffixes.map(async (suffix, index) => {
              const metadata = childOf(database, suffix)
              if (index < database.spec.nodes) await client.apply(ConfigMap, { metadata, data })
              else if (await client.live.get(ConfigMap, metadata)) await client.delete(ConfigMap, metadata)
            }),
          )
        }),
    ),
}
