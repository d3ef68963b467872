import { deepEqual, findCondition, timestamp } from '@homeostat/api'
import {
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  StorageClass,
  type CoreV1,
} from '@homeostat/api/kinds'
import { controller, type Client, type Controller, type ObjectEvent, type ReconcileContext } from 'homeostat'
import { claimNames } from '../persistent-volumes/claim-names.ts'
import { SELECTED_NODE } from '../persistent-volumes/volume-annotations.ts'
import { findVolume } from '../persistent-volumes/volume-match.ts'
import { isUsableOn } from './node-affinity.ts'
import { claimStanding, type ClaimStanding } from './pod-claims.ts'
import { place, type VolumeProblems } from './placement.ts'
import { podRequests, type Amounts } from './resources.ts'

const NAME = 'default-scheduler'
type PodKey = { namespace: string; name: string }

/**
 * Binds Pods to nodes that suit them, one after the other. A Pod that fits on no node is tried again when a node, a
 * claim, or the usage by other Pods changes. A Pod with constraints on other Pods is also tried again when such
 * Pods appear or change.
 */
export function scheduler(): Controller {
  const assumed = new AssumedPods()
  const requestsOf = remembered(podRequests)
  /** Pods without a node whose constraints are about other Pods. */
  const constrained = new Map<string, PodKey>()
  return controller(NAME)
    .for(Pod, { predicate: ({ object }) => !object.spec.nodeName })
    .watches(Pod, (_pod, { client }) => waitingPods(client), { predicate: freesResources })
    .watches(Pod, () => [...constrained.values()], { predicate: changesDomains })
    .watches(Node, (_node, { client }) => waitingPods(client), { predicate: isOtherNode })
    .watches(PersistentVolumeClaim, ({ metadata }, { client }) => waitingPods(client, metadata.namespace))
    .watches(PersistentVolume, (_volume, { client }) => waitingPods(client))
    .watches(StorageClass, (_class, { client }) => waitingPods(client))
    .reconcile(async (request, context) => {
      const { client, events } = context
      const pod = await client.get(Pod, request)
      const key = `${request.namespace}/${request.name}`
      constrained.delete(key)
      if (!pod || !isWaiting(pod) || assumed.has(pod)) return
      // Before the other Pods are listed, so that no change of them is missed.
      if (hasInterPodConstraints(pod))
        constrained.set(key, { namespace: request.namespace, name: request.name })
      const nodes = await client.list(Node)
      const claims = await claimsOf(pod, client)
      const volumes = await volumeProblems(pod, claims, client)
      const podsOn = assumed.podsByNode(await client.list(Pod))
      const namespaces = new Map(
        (await client.list(Namespace)).map(({ metadata }) => [metadata.name, metadata]),
      )
      const placement = place(
        pod,
        nodes,
        (node) => podsOn.get(node) ?? [],
        volumes,
        requestsOf,
        (namespace) => namespaces.get(namespace)?.labels,
      )
      if ('reason' in placement) {
        await reportUnschedulable(pod, placement.reason, context)
        return
      }
      if (claims.type === 'waiting') {
        // The Pod is bound after its claims. Their binding is an event that causes another reconcile.
        await selectNode(claims.claims, placement.node, client)
        return
      }
      await bind(pod, placement.node, client)
      assumed.add(pod, placement.node)
      constrained.delete(key)
      const name = `${request.namespace}/${request.name}`
      const action = { action: 'Binding' }
      events.normal(pod, 'Scheduled', `Successfully assigned ${name} to ${placement.node}`, action)
    })
}

/** Computed once for each object of the cache, which never changes: a changed Pod is another object. */
function remembered(compute: (pod: Pod) => Amounts): (pod: Pod) => Amounts {
  const known = new WeakMap<Pod, Amounts>()
  return (pod) => {
    const amounts = known.get(pod) ?? compute(pod)
    known.set(pod, amounts)
    return amounts
  }
}

/** Pods that were just bound and are not yet bound in the cache. They already use resources of their node. */
class AssumedPods {
  readonly #nodes = new Map<string, { readonly pod: Pod; readonly node: string }>()

  add(pod: Pod, node: string): void {
    this.#nodes.set(pod.metadata.uid, { pod, node })
  }

  has({ metadata }: Pod): boolean {
    return this.#nodes.has(metadata.uid)
  }

  /** The Pods that use resources of each node, without those that have ended. */
  podsByNode(pods: readonly Pod[]): ReadonlyMap<string, readonly Pod[]> {
    const byNode = new Map<string, Pod[]>()
    const put = (node: string, pod: Pod): void => {
      const there = byNode.get(node)
      if (there) there.push(pod)
      else byNode.set(node, [pod])
    }
    const unbound = new Set<string>()
    for (const pod of pods) {
      const { nodeName } = pod.spec
      if (!nodeName) unbound.add(pod.metadata.uid)
      else if (pod.status.phase !== 'Succeeded' && pod.status.phase !== 'Failed') put(nodeName, pod)
    }
    for (const [uid, { pod, node }] of this.#nodes) {
      if (unbound.has(uid)) put(node, pod)
      else this.#nodes.delete(uid)
    }
    return byNode
  }
}

function isWaiting({ metadata, spec, status }: Pod): boolean {
  const ours = (spec.schedulerName ?? NAME) === NAME
  const over = status.phase === 'Succeeded' || status.phase === 'Failed'
  const gated = (spec.schedulingGates ?? []).length > 0
  return ours && !spec.nodeName && !metadata.deletionTimestamp && !over && !gated
}

async function waitingPods(client: Pick<Client, 'list'>, namespace?: string): Promise<PodKey[]> {
  const pods = await client.list(Pod, { namespace })
  return pods
    .filter(isWaiting)
    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}

/** Whether a Pod was removed from a node, or has ended on it. */
function freesResources(event: ObjectEvent<typeof Pod>): boolean {
  if (!event.object.spec.nodeName) return false
  if (event.type === 'deleted') return true
  const isOver = ({ status }: Pod): boolean => status.phase === 'Succeeded' || status.phase === 'Failed'
  return event.type === 'updated' && isOver(event.object) && !isOver(event.before)
}

/** Whether the choice of a node for a Pod depends on other Pods. */
function hasInterPodConstraints({ spec }: Pod): boolean {
  const { podAffinity, podAntiAffinity } = spec.affinity ?? {}
  return Boolean(podAffinity ?? podAntiAffinity ?? spec.topologySpreadConstraints)
}

/** Whether a Pod came to a node, is leaving it, or has other labels there. */
function changesDomains(event: ObjectEvent<typeof Pod>): boolean {
  if (event.type !== 'updated') return event.type === 'added' && event.object.spec.nodeName !== undefined
  const facts = ({ metadata, spec }: Pod): unknown => [
    metadata.labels,
    spec.nodeName,
    metadata.deletionTimestamp === undefined,
  ]
  return event.object.spec.nodeName !== undefined && !deepEqual(facts(event.object), facts(event.before))
}

/** Whether a node has changed in a field that the scheduler reads. */
function isOtherNode(event: ObjectEvent<typeof Node>): boolean {
  if (event.type !== 'updated') return event.type !== 'resync'
  const facts = ({ metadata, spec, status }: Node): unknown => [
    metadata.labels,
    spec,
    status.allocatable,
    findCondition(status.conditions, 'Ready')?.status,
  ]
  return !deepEqual(facts(event.object), facts(event.before))
}

async function claimsOf(pod: Pod, client: Client): Promise<ClaimStanding> {
  if (claimNames(pod).length === 0) return { type: 'ready' }
  const { namespace } = pod.metadata
  const claims = await client.list(PersistentVolumeClaim, { namespace })
  const classes = await client.list(StorageClass)
  return claimStanding(
    pod,
    (name) => claims.find(({ metadata }) => metadata.name === name),
    (name) => classes.find(({ metadata }) => metadata.name === name),
  )
}

async function volumeProblems(pod: Pod, claims: ClaimStanding, client: Client): Promise<VolumeProblems> {
  if (claims.type === 'problem') return { everywhere: claims.reason }
  const names = claimNames(pod)
  if (names.length === 0) return {}
  const volumes = await client.list(PersistentVolume)
  const { namespace } = pod.metadata
  const bound = volumes.filter(({ spec: { claimRef } }) => {
    return claimRef?.namespace === namespace && names.includes(claimRef.name ?? '')
  })
  return {
    none: claims.type === 'waiting' && claims.static.some((claim) => !findVolume(claim, volumes, false)),
    usableOn: (node) => bound.every((volume) => isUsableOn(volume, node)),
  }
}

async function selectNode(
  claims: readonly PersistentVolumeClaim[],
  node: string,
  client: Client,
): Promise<void> {
  for (const claim of claims) {
    const { annotations } = claim.metadata
    if (annotations?.[SELECTED_NODE] !== undefined) continue
    const metadata = { ...claim.metadata, annotations: { ...annotations, [SELECTED_NODE]: node } }
    await client.update(PersistentVolumeClaim, { ...claim, metadata })
  }
}

/** Puts a Pod on a node. The server sets the node and the condition in one step, and only once. */
async function bind(pod: Pod, node: string, client: Client): Promise<void> {
  await client.subresource('binding').create(Pod, pod.metadata, {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { uid: pod.metadata.uid },
    target: { kind: 'Node', name: node },
  })
}

async function reportUnschedulable(
  pod: Pod,
  message: string,
  { client, clock, events }: ReconcileContext,
): Promise<void> {
  const before = findCondition(pod.status.conditions, 'PodScheduled')
  if (before?.status === 'False' && before.message === message) return
  const { generation } = pod.metadata
  const others = (pod.status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled')
  const since = before?.status === 'False' ? before.lastTransitionTime : undefined
  const condition: CoreV1.PodCondition = {
    type: 'PodScheduled',
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    status: 'False',
    lastTransitionTime: since ?? timestamp(clock.now()),
    reason: 'Unschedulable',
    message,
  }
  await client.status.update(Pod, { ...pod, status: { ...pod.status, conditions: [...others, condition] } })
  events.warning(pod, 'FailedScheduling', message, { action: 'Scheduling' })
}
