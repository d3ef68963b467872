import { HomeostatError } from '@homeostat/api'
import type { Client, Controller } from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'
import type { CheckOptions, FindingClass } from '../src/index.ts'
import {
  applyVolumes,
  Cluster,
  clusterController,
  deleteOthers,
  FINALIZER,
  keyOf,
  owned,
  volumesOf,
  type Key,
} from './ported-cluster.ts'

/** A published bug of another operator, rewritten as a small reconciler with the same logic, and one that is right. */
export interface PortedBug {
  /** Where it was reported. */
  readonly source: string
  readonly title: string
  /** Any of these names it rightly. */
  readonly classes: readonly FindingClass[]
  readonly options?: CheckOptions
  readonly wrong: () => Controller
  readonly right: () => Controller
}

/** Applies the set and its volumes, and removes volumes of nodes that are gone. */
const rightVolumes = (): Controller =>
  clusterController(async (cluster, client) => {
    const { nodes, storage } = cluster.spec
    await applyVolumes(cluster, client)
    await client.apply(ConfigMap, owned(cluster, 'set', { nodes: String(nodes), storage: String(storage) }))
    await deleteOthers(cluster, client, ['set', ...volumesOf(cluster)])
  })

/** Volumes that have no owner, since they outlive a set: a finalizer deletes those that `isOwn`. */
const finalizedVolume = (isSafe: boolean): Controller =>
  clusterController(async (cluster, client, key) => {
    const { uid, deletionTimestamp, finalizers } = cluster.metadata
    const volume = await client.live.get(ConfigMap, key)
    const isOwn = volume?.data?.['cluster'] === uid
    if (deletionTimestamp) {
      if (!isSafe || isOwn) await client.delete(ConfigMap, key)
      const others = finalizers?.filter((name) => name !== FINALIZER)
      const metadata = { ...(isSafe && { uid }), finalizers: others }
      await client.patch(Cluster, key, { type: 'merge', body: { metadata } })
      return
    }
    if (!finalizers) {
      const metadata = { ...(isSafe && { uid }), finalizers: [FINALIZER] }
      await client.patch(Cluster, key, { type: 'merge', body: { metadata } })
    }
    await applyFree(client, key, { cluster: uid, storage: String(cluster.spec.storage) })
  })

/** Applies a ConfigMap without an owner, unless it belongs to another controller. */
async function applyFree(client: Client, key: Key, data: Record<string, string>): Promise<void> {
  const current = await client.live.get(ConfigMap, key)
  if (current?.metadata.ownerReferences) throw new Error(`${key.name} belongs to another controller`)
  await client.apply(ConfigMap, { metadata: { ...key }, data })
}

export const portedBugs: readonly PortedBug[] = [
  {
    source: 'rabbitmq/cluster-operator#782',
    title: 'resizes volumes only while the set has the old size, and deletes the set before',
    classes: ['crash'],
    wrong: () =>
      clusterController(async (cluster, client) => {
        const storage = String(cluster.spec.storage)
        const set = await client.live.get(ConfigMap, keyOf(cluster, 'set'))
        if (set && set.data?.['storage'] !== storage) {
          await client.delete(ConfigMap, keyOf(cluster, 'set'))
          await applyVolumes(cluster, client)
        }
        for (const volume of volumesOf(cluster)) {
          if (!(await client.live.get(ConfigMap, keyOf(cluster, volume)))) {
            await client.apply(ConfigMap, owned(cluster, volume, { storage }))
          }
        }
        await client.apply(ConfigMap, owned(cluster, 'set', { storage }))
      }),
    right: rightVolumes,
  },
  {
    source: 'rabbitmq/cluster-operator#758',
    title: 'refuses to scale down by comparing with the set, so that missed events change what it does',
    classes: ['history'],
    wrong: () =>
      clusterController(async (cluster, client) => {
        const { nodes } = cluster.spec
        const set = await client.live.get(ConfigMap, keyOf(cluster, 'set'))
        if (Number(set?.data?.['nodes'] ?? 0) > nodes) return
        await client.apply(ConfigMap, owned(cluster, 'set', { nodes: String(nodes) }))
      }),
    right: () =>
      clusterController(async (cluster, client) => {
        await client.apply(ConfigMap, owned(cluster, 'set', { nodes: String(cluster.spec.nodes) }))
      }),
  },
  {
    source: 'rabbitmq/cluster-operator#653',
    title: 'deletes the set for any other size, also for one that a stale cache shows',
    classes: ['stale-cache'],
    wrong: () =>
      clusterController(async (cluster, client) => {
        const storage = String(cluster.spec.storage)
        const set = await client.live.get(ConfigMap, keyOf(cluster, 'set'))
        if (set && set.data?.['storage'] !== storage) await client.delete(ConfigMap, keyOf(cluster, 'set'))
        await client.apply(ConfigMap, owned(cluster, 'set', { storage }))
      }),
    right: () =>
      clusterController(async (cluster, client) => {
        await client.apply(ConfigMap, owned(cluster, 'set', { storage: String(cluster.spec.storage) }))
      }),
  },
  {
    source: 'Orange-OpenSource/casskop#370',
    title: 'shrinks the set before it has noted that, and gives up after a crash in between',
    classes: ['crash', 'failed-request', 'downtime', 'combination'],
    wrong: () =>
      clusterController(async (cluster, client, key) => {
        const { nodes } = cluster.spec
        const setPhase = (phase: string): Promise<unknown> =>
          client.status.patch(Cluster, key, { type: 'merge', body: { status: { phase } } })
        const phase = cluster.status?.phase ?? 'Done'
        const set = await client.live.get(ConfigMap, keyOf(cluster, 'set'))
        const current = Number(set?.data?.['nodes'] ?? 0)
        if (phase === 'Finalizing') {
          await deleteOthers(cluster, client, ['set', ...volumesOf(cluster)])
          await setPhase('Done')
          return
        }
        if (phase === 'Ongoing' && current <= nodes) {
          throw new HomeostatError('NODE_GONE', 'the node to be removed is not there')
        }
        if (phase === 'Done' && current > nodes) {
          await setPhase('Ongoing')
          return
        }
        await applyVolumes(cluster, client)
        await client.apply(ConfigMap, owned(cluster, 'set', { nodes: String(nodes) }))
        if (phase === 'Ongoing') await setPhase('Finalizing')
      }),
    right: rightVolumes,
  },
  {
    source: 'k8ssandra/cass-operator#118',
    title: 'deletes volumes by name when it sees the deletion of an earlier object of the same name',
    classes: ['stale-cache'],
    wrong: () => finalizedVolume(false),
    right: () => finalizedVolume(true),
  },
  {
    source: 'instaclustr/cassandra-operator#398',
    title: 'deletes volumes only when it sees the number of nodes fall, and remembers the last in memory',
    classes: ['downtime', 'crash', 'history'],
    wrong: () => {
      const last = new Map<string, number>()
      return clusterController(async (cluster, client, key) => {
        const { nodes } = cluster.spec
        const before = last.get(key.name) ?? nodes
        await applyVolumes(cluster, client)
        for (let index = nodes; index < before; index++) {
          await client.delete(ConfigMap, keyOf(cluster, `volume-${index}`))
        }
        last.set(key.name, nodes)
      })
    },
    right: () =>
      clusterController(async (cluster, client) => {
        await applyVolumes(cluster, client)
        await deleteOthers(cluster, client, volumesOf(cluster))
      }),
  },
  {
    source: 'strapdata/elassandra-operator#17',
    title: 'leaves the volumes of nodes that are gone, which the next node then uses',
    classes: ['history'],
    wrong: () => clusterController((cluster, client) => applyVolumes(cluster, client)),
    right: () =>
      clusterController(async (cluster, client) => {
        await applyVolumes(cluster, client)
        await deleteOthers(cluster, client, volumesOf(cluster))
      }),
  },
  {
    source: 'OT-CONTAINER-KIT/redis-operator#488',
    title: 'selects Pods by labels of the spec, which cannot be changed later',
    classes: ['history'],
    wrong: () => deploying((cluster) => ({ app: cluster.metadata.name, ...cluster.spec.labels })),
    right: () => deploying((cluster) => ({ app: cluster.metadata.name })),
  },
  {
    source: 'stackabletech/zookeeper-operator#679',
    title: 'ignores that the server refuses to change the size',
    classes: ['history'],
    wrong: () =>
      clusterController(async (cluster, client) => {
        const volume = owned(cluster, 'volume', { storage: String(cluster.spec.storage) })
        await client.apply(ConfigMap, { ...volume, immutable: true }).catch(() => {})
      }),
    right: () =>
      clusterController(async (cluster, client) => {
        const suffix = `volume-of-${cluster.spec.storage}`
        const volume = owned(cluster, suffix, { storage: String(cluster.spec.storage) })
        await client.apply(ConfigMap, { ...volume, immutable: true })
        await deleteOthers(cluster, client, [suffix])
      }),
  },
  {
    source: 'pravega/zookeeper-operator#71',
    title: 'does not come up with the volumes that an earlier object of the same name left',
    classes: ['recreation'],
    options: { keeps: [{ kind: 'ConfigMap', reason: 'volumes outlive the cluster' }] },
    wrong: () =>
      clusterController(async (cluster, client, key) => {
        const volume = await client.live.get(ConfigMap, key)
        const { uid } = cluster.metadata
        if (volume && volume.data?.['cluster'] !== uid) throw new Error('the volume is of another cluster')
        await applyFree(client, key, { cluster: uid, storage: String(cluster.spec.storage) })
      }),
    right: () =>
      clusterController(async (cluster, client, key) => {
        const { uid } = cluster.metadata
        await applyFree(client, key, { cluster: uid, storage: String(cluster.spec.storage) })
      }),
  },
  {
    source: 'datastax/cass-operator#178',
    title: 'leaves its sets behind when the object is deleted',
    classes: ['left-behind'],
    wrong: () =>
      clusterController(async (cluster, client, key) => {
        await applyFree(client, key, { nodes: String(cluster.spec.nodes) })
      }),
    right: () =>
      clusterController(async (cluster, client) => {
        await client.apply(ConfigMap, owned(cluster, 'set', { nodes: String(cluster.spec.nodes) }))
      }),
  },
]

/** Makes a Deployment whose Pods have these labels, and is found by them. */
function deploying(labelsOf: (cluster: Cluster) => Record<string, string>): Controller {
  return clusterController(async (cluster, client) => {
    const labels = labelsOf(cluster)
    const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'db:1' }] } }
    const { metadata } = owned(cluster, 'set', {})
    const { nodes } = cluster.spec
    const spec = { replicas: nodes, selector: { matchLabels: labels }, template }
    await client.apply(Deployment, { metadata, spec })
  })
}
