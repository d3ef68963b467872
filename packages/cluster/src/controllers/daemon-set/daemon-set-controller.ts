import { deepEqual, labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { ControllerRevision, DaemonSet, Node, Pod } from '@homeostat/api/kinds'
import {
  controller,
  controllerOf,
  controllerReference,
  type Client,
  type Controller,
  type ObjectEvent,
  type ReconcileContext,
} from 'homeostat'
import { adopted, planClaim, released } from '../pods/claim.ts'
import { failureText } from '../objects/failure-text.ts'
import { inGrowingBatches } from '../pods/growing-batches.ts'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'
import { isActive, nextAvailable } from '../pods/pod-facts.ts'
import {
  daemonNodes,
  planPresence,
  planUpdate,
  SHORTEST_LIFE,
  surgingNodes,
  type DaemonPlan,
} from './daemon-plan.ts'
import { daemonPod } from './daemon-pod.ts'
import { keepRevisions } from './daemon-revisions.ts'
import { daemonStatus } from './daemon-status.ts'

/** Keeps one Pod of a DaemonSet on each node that the set wants, and replaces them when its template changes. */
export const daemonSetController: Controller = controller('daemonset-controller')
  .for(DaemonSet)
  .owns(Pod)
  .owns(ControllerRevision)
  // A DaemonSet may adopt a Pod or a revision without a controller.
  .watches(Pod, (pod, { client }) => (controllerOf(pod) ? undefined : matching(pod, client)))
  .watches(ControllerRevision, (revision, { client }) =>
    controllerOf(revision) ? undefined : matching(revision, client),
  )
  .watches(Node, (_node, { client }) => allSets(client), { predicate: isOtherNode })
  .reconcile(async (request, context) => {
    const { client, clock } = context
    const set = await client.get(DaemonSet, request)
    if (!set) return undefined
    const pods = await claimPods(set, client)
    if (set.metadata.deletionTimestamp) return undefined
    const revision = await keepRevisions(set, pods, client)
    const { nodes, withoutNode } = daemonNodes(set, await client.list(Node), pods)
    const presence = planPresence(nodes, surgingNodes(nodes, revision), clock.now())
    const isSettled = presence.create.length + presence.remove.length + withoutNode.length === 0
    const plan = isSettled
      ? planUpdate(set, nodes, revision, clock.now())
      : { ...presence, remove: [...presence.remove, ...withoutNode] }
    try {
      await carryOut(plan, set, revision, context)
    } finally {
      const status = daemonStatus(set, nodes, revision, clock.now())
      if (!deepEqual(status, set.status)) await client.status.update(DaemonSet, { ...set, status })
    }
    const ending = pods.some(({ status }) => status.phase === 'Failed' || status.phase === 'Succeeded')
    const available = nextAvailable(pods, set.spec.minReadySeconds ?? 0, clock.now())
    if (available === undefined && !ending) return undefined
    return { requeueAfter: Math.min(available ?? SHORTEST_LIFE, SHORTEST_LIFE) }
  })

/** Whether a node was added, removed, or changed so that other sets may fit. */
function isOtherNode(event: ObjectEvent<typeof Node>): boolean {
  if (event.type !== 'updated') return event.type !== 'resync'
  const facts = ({ metadata, spec, status }: Node): unknown => [
    metadata.labels,
    spec.taints,
    spec.unschedulable,
    status.conditions?.find(({ type }) => type === 'Ready')?.status,
  ]
  return !deepEqual(facts(event.object), facts(event.before))
}

async function allSets(client: Pick<Client, 'list'>): Promise<{ namespace: string; name: string }[]> {
  const sets = await client.list(DaemonSet)
  return sets.map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}

async function matching(
  { metadata: { namespace, labels } }: Pod | ControllerRevision,
  client: Pick<Client, 'list'>,
): Promise<{ namespace: string; name: string }[]> {
  const sets = await client.list(DaemonSet, { namespace })
  return sets
    .filter(({ spec }) => matchesLabels(labelSelectorFrom(spec.selector), labels))
    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}

/** The Pods that the set controls, after it has adopted those that match and released the others. */
async function claimPods(set: DaemonSet, client: Client): Promise<Pod[]> {
  const selector = labelSelectorFrom(set.spec.selector)
  const all = await client.list(Pod, { namespace: set.metadata.namespace })
  const claim = planClaim(set, all, ({ metadata }) => matchesLabels(selector, metadata.labels))
  const reference = controllerReference(set)
  const free = claim.adopt.filter(isActive)
  const taken = await Promise.all(free.map((pod) => client.update(Pod, adopted(pod, reference))))
  await Promise.all(claim.release.map((pod) => client.update(Pod, released(pod, set))))
  return [...claim.owned, ...taken]
}

async function carryOut(
  { create, remove, ended }: DaemonPlan,
  set: DaemonSet,
  revision: string,
  { client, events }: ReconcileContext,
): Promise<void> {
  for (const { metadata, spec, status } of ended) {
    const about = `daemon pod ${metadata.namespace}/${metadata.name} on node ${spec.nodeName}`
    if (status.phase === 'Failed')
      events.warning(set, 'FailedDaemonPod', `Found failed ${about}, will try to kill it`)
    else events.normal(set, 'SucceededDaemonPod', `Found succeeded ${about}, will try to delete it`)
  }
  await inGrowingBatches(create, async (node) => {
    try {
      const pod = await client.create(Pod, daemonPod(set, node, revision))
      events.normal(set, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
    } catch (error) {
      if (isNamespaceTerminating(error)) return
      events.warning(set, 'FailedCreate', `Error creating: ${failureText(error)}`)
      throw error
    }
  })
  await Promise.all(
    remove.map(async ({ metadata }) => {
      const found = await client.delete(Pod, metadata, { preconditions: { uid: metadata.uid } })
      if (found) events.normal(set, 'SuccessfulDelete', `Deleted pod: ${metadata.name}`)
    }),
  )
}
