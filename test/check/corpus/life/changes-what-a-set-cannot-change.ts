import { controller } from 'homeostat'
import { StatefulSet } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator, podTemplate } from '../kinds.ts'

/**
 * Applies the size of the volumes to the claim templates of its StatefulSet, which cannot be changed. After a resize
 * every reconcile fails, and no other change of the spec arrives, as redis and cockroach operators once did.
 */
export const changesImmutable: CorpusOperator = {
  title: 'applies a new size to claim templates, which cannot change',
  classes: ['always-fails', 'history'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(StatefulSet)
        .writes(StatefulSet, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const { version, nodes, storageGi } = database.spec
          const resources = { requests: { storage: `${storageGi}Gi` } }
          const claim = {
            metadata: { name: 'data' },
            spec: { accessModes: ['ReadWriteOnce' as const], resources },
          }
          const spec = {
            serviceName: key.name,
            replicas: nodes,
            selector: { matchLabels: { app: key.name } },
            template: podTemplate(key.name, `db:${version}`),
            volumeClaimTemplates: [claim],
          }
          await client.apply(StatefulSet, { metadata: childOf(database), spec })
        }),
    ),
}
