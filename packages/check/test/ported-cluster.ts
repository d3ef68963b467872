import {
  controller,
  controllerReference,
  defineKind,
  operator,
  sample,
  schema as s,
  type Client,
  type Controller,
  type ObjectOf,
  type Operator,
} from 'homeostat'
import { ConfigMap, Deployment } from 'homeostat/kinds'

/** The common parts of database operators: nodes with volumes. ConfigMaps stand for sets of nodes and for volumes. */
export const Cluster = defineKind({
  group: 'check.example.com',
  version: 'v1',
  kind: 'Cluster',
  spec: s.object({
    storage: s.integer().min(1),
    nodes: s.integer().min(1).max(3),
    labels: s.map(s.string()).optional(),
  }),
  status: s.object({ phase: s.string().optional() }),
})
export type Cluster = ObjectOf<typeof Cluster>

export const FINALIZER = 'check.example.com/volumes'

export type Key = { readonly namespace: string; readonly name: string }
export type Reconcile = (cluster: Cluster, client: Client, key: Key) => Promise<void>

/** A new operator for each process, so that a crash loses what the process had in memory. */
export function clusterOperator(made: () => Controller): () => Operator {
  const metadata = { name: 'db', namespace: 'default' }
  const spec = { storage: 1, nodes: 2, labels: { team: 'a' } }
  const samples = [sample(Cluster, { metadata, spec })]
  return () => operator('clusters', { controllers: [made()], samples })
}

/** A controller that calls `reconcile` for each Cluster that exists. */
export function clusterController(reconcile: Reconcile): Controller {
  return (
    controller('clusters')
      .for(Cluster)
      .owns(ConfigMap)
      .owns(Deployment)
      // Volumes without an owner have the name of their Cluster.
      .watches(ConfigMap, ({ metadata: { namespace, name } }) => [{ namespace, name }])
      .writes(ConfigMap, 'apply', 'create', 'delete')
      .writes(Deployment, 'apply')
      .writes(Cluster, 'patch', 'status.patch')
      .reconcile(async (key, { client }) => {
        const cluster = await client.get(Cluster, key)
        if (cluster) await reconcile(cluster, client, key)
      })
  )
}

/** A ConfigMap of a Cluster, which is collected with it. */
export function owned(cluster: Cluster, suffix: string, data: Record<string, string>) {
  const { namespace, name } = cluster.metadata
  const labels = { cluster: name }
  const metadata = {
    namespace,
    name: `${name}-${suffix}`,
    labels,
    ownerReferences: [controllerReference(cluster)],
  }
  return { metadata, data }
}

export function keyOf(cluster: Cluster, suffix: string): Key {
  const { namespace, name } = cluster.metadata
  return { namespace, name: `${name}-${suffix}` }
}

/** The suffixes of the volumes that a Cluster asks for. */
export function volumesOf({ spec }: Cluster): string[] {
  return Array.from({ length: spec.nodes }, (_, index) => `volume-${index}`)
}

/** Applies a volume for each node. */
export async function applyVolumes(cluster: Cluster, client: Client): Promise<void> {
  for (const volume of volumesOf(cluster)) {
    await client.apply(ConfigMap, owned(cluster, volume, { storage: String(cluster.spec.storage) }))
  }
}

/** Deletes the ConfigMaps of a Cluster whose names no suffix gives. */
export async function deleteOthers(
  cluster: Cluster,
  client: Client,
  suffixes: readonly string[],
): Promise<void> {
  const { namespace, name, uid } = cluster.metadata
  const kept = new Set(suffixes.map((suffix) => `${name}-${suffix}`))
  for (const { metadata } of await client.list(ConfigMap, { namespace, labels: { cluster: name } })) {
    const isOwn = metadata.ownerReferences?.some((owner) => owner.uid === uid)
    if (isOwn && !kept.has(metadata.name)) await client.delete(ConfigMap, { namespace, name: metadata.name })
  }
}
