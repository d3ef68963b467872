import { deepEqual, timestamp } from '@homeostat/api'
import {
  Deployment,
  Pod,
  PodDisruptionBudget,
  ReplicaSet,
  StatefulSet,
  type MetaV1,
} from '@homeostat/api/kinds'
import {
  controller,
  controllerOf,
  type Client,
  type Controller,
  type ObjectEvent,
  type ReconcileContext,
} from 'homeostat'
import { isReady } from '../pods/pod-facts.ts'
import {
  EVICTION_TIMEOUT,
  isCounted,
  needsScale,
  planDisruptions,
  type Disruptions,
} from './disruption-plan.ts'

type Condition = MetaV1.Condition
const UNMANAGED =
  'Pods of this PodDisruptionBudget have no controller, so the expected number of Pods is unknown. Set spec.minAvailable to a number: then the existing Pods are counted'
type Key = { namespace: string; name: string }

/** Counts the Pods of disruption budgets, so that evictions know how many may go. */
export const disruptionController: Controller = controller('disruption-controller')
  .for(PodDisruptionBudget)
  .watches(Pod, (pod, { client }) => budgetsOf(pod, client), { predicate: matters })
  .watches(Deployment, ({ metadata }, { client }) => budgetsIn(metadata.namespace, client), {
    predicate: isScaled,
  })
  .watches(ReplicaSet, ({ metadata }, { client }) => budgetsIn(metadata.namespace, client), {
    predicate: isScaled,
  })
  .watches(StatefulSet, ({ metadata }, { client }) => budgetsIn(metadata.namespace, client), {
    predicate: isScaled,
  })
  .reconcile(async (request, context) => {
    const { client, clock, events } = context
    const budget = await client.get(PodDisruptionBudget, request)
    if (!budget || budget.metadata.deletionTimestamp) return undefined
    const all = await client.list(Pod, { namespace: request.namespace })
    const pods = all.filter((pod) => isCounted(budget, pod))
    const scale = needsScale(budget) ? await scaleOf(pods, client) : { count: 0 }
    const plan = planDisruptions(budget, pods, scale.count, clock.now())
    if (pods.length === 0) events.normal(budget, 'NoPods', 'No matching pods found')
    if (scale.problem !== undefined) {
      const note = `Failed to calculate the number of expected pods: ${scale.problem}`
      events.warning(budget, 'CalculateExpectedPodCountFailed', note)
    }
    if (needsScale(budget) && pods.some((pod) => !controllerOf(pod))) {
      events.warning(budget, 'UnmanagedPods', UNMANAGED)
    }
    await writeStatus(budget, plan, scale.problem, context)
    return Object.keys(plan.disruptedPods).length > 0 ? { requeueAfter: EVICTION_TIMEOUT } : undefined
  })

async function budgetsIn(namespace: string, client: Pick<Client, 'list'>): Promise<Key[]> {
  const budgets = await client.list(PodDisruptionBudget, { namespace })
  return budgets.map(({ metadata }) => ({ namespace, name: metadata.name }))
}

async function budgetsOf(pod: Pod, client: Pick<Client, 'list'>): Promise<Key[]> {
  const { namespace } = pod.metadata
  const budgets = await client.list(PodDisruptionBudget, { namespace })
  return budgets
    .filter((budget) => isCounted(budget, pod) || pod.metadata.name in (budget.status?.disruptedPods ?? {}))
    .map(({ metadata }) => ({ namespace, name: metadata.name }))
}

/** Whether a change of a Pod may change what a budget counts. */
function matters(event: ObjectEvent<typeof Pod>): boolean {
  if (event.type !== 'updated') return event.type !== 'resync'
  const { object, before } = event
  return (
    isReady(object) !== isReady(before) ||
    object.metadata.deletionTimestamp !== before.metadata.deletionTimestamp ||
    !deepEqual(object.metadata.labels, before.metadata.labels) ||
    !deepEqual(object.metadata.ownerReferences, before.metadata.ownerReferences)
  )
}

function isScaled(event: ObjectEvent<typeof Deployment | typeof ReplicaSet | typeof StatefulSet>): boolean {
  return event.type === 'updated' && event.object.spec.replicas !== event.before.spec.replicas
}

/** How many Pods the controllers of these Pods want in total. */
async function scaleOf(pods: readonly Pod[], client: Client): Promise<{ count: number; problem?: string }> {
  const counts = new Map<string, number>()
  for (const pod of pods) {
    const owner = controllerOf(pod)
    // A Pod without a controller does not count as expected, since nothing would replace it.
    if (!owner || counts.has(owner.uid)) continue
    const found = await ownerScale(owner, pod.metadata.namespace, client)
    if (typeof found === 'string') return { count: 0, problem: found }
    counts.set(found.uid, found.replicas)
    counts.set(owner.uid, counts.get(owner.uid) ?? 0)
  }
  return { count: [...counts.values()].reduce((sum, count) => sum + count, 0) }
}

interface OwnerScale {
  /** The uid of the object that sets the number of Pods: for a ReplicaSet of a Deployment, the Deployment. */
  readonly uid: string
  readonly replicas: number
}

/** How many Pods the controller of a Pod wants, or why that is not known. */
async function ownerScale(
  owner: { readonly apiVersion: string; readonly kind: string; readonly name: string; readonly uid: string },
  namespace: string,
  client: Client,
): Promise<OwnerScale | string> {
  const kind = await client.kinds.find(owner.apiVersion, owner.kind)
  if (!kind)
    return `no matches for kind ${JSON.stringify(owner.kind)} in version ${JSON.stringify(owner.apiVersion)}`
  const key = { namespace, name: owner.name }
  if (owner.kind === 'ReplicaSet') {
    const set = await client.get(ReplicaSet, key)
    const above = set && controllerOf(set)
    if (above?.kind === 'Deployment') return ownerScale(above, namespace, client)
  }
  const scale = await client.scale.get(kind, key)
  if (scale) return { uid: owner.uid, replicas: scale.spec?.replicas ?? 0 }
  const { group, plural } = kind
  const resource = group === '' ? plural : `${plural}.${group}`
  if (await client.live.get(kind, key)) return `${resource} does not implement the scale subresource`
  return { uid: owner.uid, replicas: 0 }
}

async function writeStatus(
  budget: PodDisruptionBudget,
  plan: Disruptions,
  problem: string | undefined,
  { client, clock }: ReconcileContext,
): Promise<void> {
  const { disruptedPods, ...counts } = plan
  const { generation = 0 } = budget.metadata
  const isAllowed = counts.disruptionsAllowed > 0
  const wanted =
    problem === undefined
      ? {
          status: isAllowed ? 'True' : 'False',
          observedGeneration: generation,
          reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
          message: '',
        }
      : { status: 'False', reason: 'SyncFailed', message: problem }
  const conditions = budget.status?.conditions ?? []
  const before = conditions.find(({ type }) => type === 'DisruptionAllowed')
  const since = before?.status === wanted.status ? before.lastTransitionTime : undefined
  const condition: Condition = {
    type: 'DisruptionAllowed',
    ...wanted,
    lastTransitionTime: since ?? timestamp(clock.now()),
  } as Condition
  const others = conditions.filter(({ type }) => type !== condition.type)
  const status = {
    ...(problem === undefined ? counts : countsBefore(budget)),
    ...(Object.keys(disruptedPods).length > 0 ? { disruptedPods } : {}),
    conditions: [...others, condition],
    ...(problem === undefined ? { observedGeneration: generation } : {}),
  }
  if (!deepEqual(status, budget.status))
    await client.status.update(PodDisruptionBudget, { ...budget, status })
}

/** The last counts, which are kept while the Pods cannot be counted. */
function countsBefore({ status }: PodDisruptionBudget): Omit<Disruptions, 'disruptedPods'> {
  const { currentHealthy = 0, desiredHealthy = 0, expectedPods = 0 } = status ?? {}
  return { currentHealthy, desiredHealthy, expectedPods, disruptionsAllowed: 0 }
}
