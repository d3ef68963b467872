import { timestamp, type Clock } from '@homeostat/api'
import { Lease, Node, type CoreV1 } from '@homeostat/api/kinds'
import type { Client } from 'homeostat'
import type { ClusterNode } from './cluster-options.ts'
import { nodeObject, nodeStatus } from './kubelet/index.ts'
import { podSubnet, subnetIndex, type PodSubnet } from './network/index.ts'

const LEASES = 'kube-node-lease'
/** The taint of a node that does not run; Pods that do not tolerate it are not placed there. */
const UNREACHABLE: CoreV1.Taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoSchedule' }

/** A node as it was registered. */
export interface RegisteredNode {
  readonly name: string
  readonly subnet: PodSubnet
  /** Its resources for Pods. */
  readonly allocatable: Readonly<Record<string, string>>
}

/**
 * Registers the nodes, each with its part of the Pod network: an existing node keeps its own. Nodes that an earlier
 * cluster on the same data had, and this one does not, are marked as unreachable.
 */
export async function registerNodes(
  client: Client,
  nodes: readonly ClusterNode[],
  hostIP: string,
  clock: Clock,
): Promise<RegisteredNode[]> {
  const existing = new Map((await client.list(Node)).map((node) => [node.metadata.name, node]))
  const registered: RegisteredNode[] = []
  const taken = new Set([...existing.values()].map(({ spec }) => subnetIndex(spec.podCIDR)))
  for (const node of nodes) {
    const known = existing.get(node.name)
    existing.delete(node.name)
    const index = subnetIndex(known?.spec.podCIDR) ?? firstFree(taken)
    taken.add(index)
    const [subnet, status] = [podSubnet(index), nodeStatus(node, hostIP, clock.now())]
    await register(client, node, known, subnet.cidr, status, clock)
    registered.push({ name: node.name, subnet, allocatable: status.allocatable ?? {} })
  }
  for (const node of existing.values()) await showGone(client, node, clock)
  return registered
}

function firstFree(taken: ReadonlySet<number | undefined>): number {
  let index = 0
  while (taken.has(index)) index++
  return index
}

async function register(
  client: Client,
  node: ClusterNode,
  known: Node | undefined,
  podCIDR: string,
  status: CoreV1.NodeStatus,
  clock: Clock,
): Promise<void> {
  const wanted = nodeObject(node.name, { ...node, podCIDR })
  const taints = [
    ...(known?.spec.taints ?? []).filter(({ key }) => key !== UNREACHABLE.key),
    ...(node.taints ?? []).filter((taint) => !known?.spec.taints?.some((other) => sameTaint(taint, other))),
  ]
  const labels = { ...known?.metadata.labels, ...wanted.metadata.labels }
  const stored = known
    ? await client.update(Node, {
        ...known,
        metadata: { ...known.metadata, labels },
        spec: { ...known.spec, taints },
      })
    : await client.create(Node, wanted)
  await client.status.update(Node, { ...stored, status })
  await renewLease(client, stored, clock)
}

/**
 * Written once: the node runs in the process of the API that it would report to, so a heartbeat would carry no
 * information.
 */
async function renewLease(client: Client, node: Node, clock: Clock): Promise<void> {
  const { name, uid } = node.metadata
  const key = { namespace: LEASES, name }
  const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z')
  const spec = { holderIdentity: name, leaseDurationSeconds: 40, renewTime }
  const known = await client.get(Lease, key)
  if (known) await client.update(Lease, { ...known, spec })
  else {
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid }
    await client.create(Lease, { metadata: { ...key, ownerReferences: [owner] }, spec })
  }
}

async function showGone(client: Client, node: Node, clock: Clock): Promise<void> {
  const time = timestamp(clock.now())
  const conditions = (node.status.conditions ?? []).map((condition) =>
    condition.status === 'Unknown'
      ? condition
      : {
          ...condition,
          status: 'Unknown' as const,
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: time,
        },
  )
  const taints = node.spec.taints ?? []
  const stored = taints.some((taint) => sameTaint(taint, UNREACHABLE))
    ? node
    : await client.update(Node, {
        ...node,
        spec: { ...node.spec, taints: [...taints, { ...UNREACHABLE, timeAdded: time }] },
      })
  await client.status.update(Node, { ...stored, status: { ...stored.status, conditions } })
}

function sameTaint(
  a: Pick<CoreV1.Taint, 'key' | 'effect'>,
  b: Pick<CoreV1.Taint, 'key' | 'effect'>,
): boolean {
  return a.key === b.key && a.effect === b.effect
}
