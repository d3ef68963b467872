import {
  controller,
  createOrPatch,
  FinalizerRegistry,
  setCondition,
  setControllerReference,
  type Client,
  type ReconcileContext,
} from 'homeostat'
import { PersistentVolumeClaim, Service, StatefulSet } from 'homeostat/kinds'
import { buildService, buildStatefulSet, labelsOf } from './builder.ts'
import { MariaDB } from './mariadb.ts'

const finalizers = new FinalizerRegistry(MariaDB).register('mariadb.example.com/data', deleteData)

/** Runs each MariaDB by a Service and a StatefulSet. Its data outlives it, unless the spec says otherwise. */
export const mariadb = controller('mariadb')
  .for(MariaDB)
  .owns(Service)
  .owns(StatefulSet)
  .uses(finalizers)
  .writes(MariaDB, 'status.apply')
  .writes(Service, 'createOrPatch')
  .writes(StatefulSet, 'createOrPatch', 'delete')
  .writes(PersistentVolumeClaim, 'deleteAllOf')
  .reconcile(async (request, context) => {
    const { client, clock } = context
    const found = await client.get(MariaDB, request)
    if (!found) return
    const { object: db, deleting } = await finalizers.finalize(client, found, context)
    if (deleting) return

    await reconcileService(client, db)
    const servers = await reconcileStatefulSet(client, db)

    const readyReplicas = servers.status?.readyReplicas ?? 0
    const isReady = readyReplicas >= db.spec.replicas
    const ready = {
      type: 'Ready',
      status: isReady ? ('True' as const) : ('False' as const),
      reason: isReady ? 'ServersReady' : 'ServersNotReady',
      message: `${readyReplicas} of ${db.spec.replicas} servers are ready`,
    }
    const conditions = setCondition(db.status?.conditions, ready, clock)
    await client.status.apply(MariaDB, request, { readyReplicas, conditions })
  })

/** Patches what differs from the Service that should be; what others added to it stays. */
async function reconcileService(client: Client, db: MariaDB): Promise<void> {
  const { metadata, spec } = buildService(db)
  await createOrPatch(client, Service, db.metadata, (service) => {
    setControllerReference(db, service)
    service.metadata.labels = metadata.labels
    service.spec = spec
  })
}

/** Patches what differs from the StatefulSet that should be. Its claims stay as they were made: they cannot be changed. */
async function reconcileStatefulSet(client: Client, db: MariaDB): Promise<StatefulSet> {
  const { metadata, spec } = buildStatefulSet(db)
  const { object } = await createOrPatch(client, StatefulSet, db.metadata, (servers) => {
    setControllerReference(db, servers)
    servers.metadata.labels = metadata.labels
    servers.spec = {
      ...spec,
      ...(servers.spec && { volumeClaimTemplates: servers.spec.volumeClaimTemplates }),
    }
  })
  return object
}

/** Deletes the data where the spec says so, but not while a server uses it: the StatefulSet goes first, with its Pods. */
async function deleteData(db: MariaDB, { client }: ReconcileContext): Promise<'pending' | 'done'> {
  if (db.spec.dataPolicy === 'Retain') return 'done'
  const servers = await client.get(StatefulSet, db.metadata)
  if (servers && !servers.metadata.deletionTimestamp) {
    await client.delete(StatefulSet, db.metadata, { propagation: 'Foreground' })
  }
  if (servers) return 'pending' // Its end is an event: it starts the next reconcile.
  const { namespace } = db.metadata
  await client.deleteAllOf(PersistentVolumeClaim, { namespace, labels: labelsOf(db) })
  return 'done'
}
