import { createHash } from 'node:crypto'
import { controller } from 'homeostat'
import { ConfigMap } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator } from '../kinds.ts'

/** Names its child after the version, and leaves the children of earlier versions, as an operator for runtimes did with its revisions. */
export const leavesVersions: CorpusOperator = {
  title: 'names a child after the version and leaves those of earlier versions',
  classes: ['history'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(ConfigMap)
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const { version, nodes } = database.spec
          const hash = createHash('sha256').update(version).digest('hex').slice(0, 8)
          await client.apply(ConfigMap, {
            metadata: childOf(database, `-v${hash}`),
            data: { nodes: String(nodes) },
          })
        }),
    ),
}
