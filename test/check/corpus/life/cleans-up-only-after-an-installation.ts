import { controller } from 'homeostat'
import { Secret } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { Database, databaseOperator } from '../kinds.ts'

const FINALIZER = 'corpus.example.com/clean-up'

/**
 * Makes the Secret first and reports `Running` last, and cleans up only what is `Running`. A Database that is deleted
 * in between leaves its Secret, as operators whose clean-up asks for the phase do.
 */
export const cleansUpRunning: CorpusOperator = {
  title: 'cleans up only objects whose phase says that they are running',
  classes: ['left-behind', 'crash', 'failed-request', 'combination'],
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .watches(Secret, ({ metadata }) => ({
          namespace: metadata.namespace,
          name: metadata.name.replace(/-dsn$/, ''),
        }))
        .writes(Database, 'patch', 'status.patch')
        .writes(Secret, 'create', 'delete')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database) return
          const { finalizers = [], deletionTimestamp } = database.metadata
          const child = { namespace: key.namespace, name: `${key.name}-dsn` }
          if (deletionTimestamp) {
            if (database.status?.phase === 'Running') await client.delete(Secret, child)
            const others = finalizers.filter((name) => name !== FINALIZER)
            await client.patch(Database, key, { type: 'merge', body: { metadata: { finalizers: others } } })
            return
          }
          if (!finalizers.includes(FINALIZER)) {
            const metadata = { finalizers: [...finalizers, FINALIZER] }
            await client.patch(Database, key, { type: 'merge', body: { metadata } })
          }
          if (!(await client.live.get(Secret, child))) {
            await client.create(Secret, { metadata: child, data: { dsn: btoa(`db://${key.name}`) } })
          }
          if (database.status?.phase === 'Running') return
          await client.status.patch(Database, key, { type: 'merge', body: { status: { phase: 'Running' } } })
        }),
    ),
}
