import { controller } from 'homeostat'
import { ConfigMap, StatefulSet } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { childOf, Database, databaseOperator, podTemplate } from '../kinds.ts'

/**
 * Resizes volumes in two steps: it deletes the StatefulSet of the old size, then changes the volumes. The old
 * StatefulSet was the only sign that volumes are to be changed, so a crash in between loses the second step, as in
 * rabbitmq cluster-operator. ConfigMaps stand for the volumes.
 */
export const expandsAfterDeleting: CorpusOperator = {
  title: 'resizes volumes after it deleted the StatefulSet of the old size',
  classes: ['crash', 'failed-request', 'combination'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .owns(StatefulSet)
        .owns(ConfigMap)
        .writes(StatefulSet, 'apply', 'delete')
        .writes(ConfigMap, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const size = String(database.spec.storageGi)
          const volume = { metadata: childOf(database, '-volume'), data: { size } }
          const set = await client.live.get(StatefulSet, key)
          const current = set?.metadata.annotations?.['corpus.example.com/size']
          if (!set && !(await client.live.get(ConfigMap, volume.metadata)))
            await client.apply(ConfigMap, volume)
          if (set && current !== size) {
            await client.delete(StatefulSet, key, { propagation: 'Orphan' })
            await client.apply(ConfigMap, volume)
          }
          const template = podTemplate(key.name, `db:${database.spec.version}`)
          const selector = { matchLabels: { app: key.name } }
          const annotations = { 'corpus.example.com/size': size }
          const metadata = { ...childOf(database), annotations }
          const spec = { serviceName: key.name, replicas: database.spec.nodes, selector, template }
          await client.apply(StatefulSet, { metadata, spec })
        }),
    ),
}
