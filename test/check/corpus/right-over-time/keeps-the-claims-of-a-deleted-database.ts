import { controller } from 'homeostat'
import { PersistentVolumeClaim } from 'homeostat/kinds'
import type { CorpusOperator } from '../corpus-operator.ts'
import { Database, databaseOperator } from '../kinds.ts'

/** Makes a claim that has no owner, so that data outlives the Database, and says so to the check. */
export const keepsClaims: CorpusOperator = {
  title: 'keeps the claim of a deleted Database, and declares it',
  classes: [],
  options: { keeps: [{ kind: 'PersistentVolumeClaim', reason: 'data outlives the database' }] },
  operator: () =>
    databaseOperator(
      controller('databases')
        .for(Database)
        .watches(PersistentVolumeClaim, ({ metadata: { namespace, name } }) => ({
          namespace,
          name: name.replace(/-data$/, ''),
        }))
        .reads(PersistentVolumeClaim)
        .writes(PersistentVolumeClaim, 'apply')
        .reconcile(async (key, { client }) => {
          const database = await client.get(Database, key)
          if (!database || database.metadata.deletionTimestamp) return
          const metadata = { namespace: key.namespace, name: `${key.name}-data` }
          const found = await client.live.get(PersistentVolumeClaim, metadata)
          if (found?.metadata.ownerReferences) throw new Error('the claim belongs to another controller')
          const resources = { requests: { storage: '1Gi' } }
          await client.apply(PersistentVolumeClaim, {
            metadata,
            spec: { accessModes: ['ReadWriteOnce'], resources },
          })
        }),
    ),
}
