import { labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { Pod, ReplicaSet } from '@homeostat/api/kinds'
import { controller, controllerOf, controllerReference, type Client, type ReconcileContext } from 'homeostat'
import { adopted, planClaim, released } from '../claim.ts'
import { isActive } from '../pod-facts.ts'
import { isNamespaceTerminating } from '../namespace-terminating.ts'
import { sameJson } from '../same-json.ts'
import { planPods, podOf, type PodPlan } from './pod-plan.ts'
import { nextAvailable, replicaSetStatus, type ReplicaFailure } from './replica-set-status.ts'

/** Keeps the number of Pods that match a ReplicaSet at what it says. */
export const replicaSetController = controller('replicaset-controller')
  .for(ReplicaSet)
  .owns(Pod)
  // A Pod that nobody controls may be one that a ReplicaSet takes in.
  .watches(Pod, async (pod, { client }) => (controllerOf(pod) ? undefined : matching(pod, client)))
  .options({ maxConcurrentReconciles: 4 })
  .reconcile(async (request, context) => {
    const { client, clock } = context
    const replicaSet = await client.get(ReplicaSet, request)
    if (!replicaSet) return undefined
    const pods = await claimPods(replicaSet, client)
    const active = pods.filter(isActive)
    const terminating = pods.filter(({ metadata }) => metadata.deletionTimestamp)
    let failure: ReplicaFailure | undefined
    let thrown: unknown
    if (!replicaSet.metadata.deletionTimestamp) {
      const plan = planPods(replicaSet, active, clock.now())
      try {
        await carryOut(plan, replicaSet, context)
      } catch (error) {
        thrown = error
        const message = error instanceof Error ? error.message : String(error)
        failure = { reason: plan.create > 0 ? 'FailedCreate' : 'FailedDelete', message }
      }
    }
    const status = replicaSetStatus(replicaSet, { active, terminating }, failure, clock.now())
    if (!sameJson(status, replicaSet.status))
      await client.status.update(ReplicaSet, { ...replicaSet, status })
    if (thrown !== undefined) throw thrown
    const requeueAfter = nextAvailable(replicaSet, active, clock.now())
    return requeueAfter === undefined ? undefined : { requeueAfter }
  })

/** The Pods that the ReplicaSet controls, after taking in those that match and letting go the others. */
async function claimPods(replicaSet: ReplicaSet, client: Client): Promise<Pod[]> {
  const selector = labelSelectorFrom(replicaSet.spec.selector)
  const all = await client.list(Pod, { namespace: replicaSet.metadata.namespace })
  const claim = planClaim(
    replicaSet,
    all,
    (pod) =>
      matchesLabels(selector, pod.metadata.labels ?? {}) &&
      (isActive(pod) || controllerOf(pod) !== undefined),
  )
  const reference = controllerReference(replicaSet, ReplicaSet)
  const taken = await Promise.all(claim.adopt.map((pod) => client.update(Pod, adopted(pod, reference))))
  await Promise.all(claim.release.map((pod) => client.update(Pod, released(pod, replicaSet))))
  return [...claim.owned, ...taken]
}

async function carryOut(
  { create, remove }: PodPlan,
  replicaSet: ReplicaSet,
  { client, events }: ReconcileContext,
): Promise<void> {
  await inGrowingBatches(create, async () => {
    try {
      const pod = await client.create(Pod, podOf(replicaSet))
      events.normal(replicaSet, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
    } catch (error) {
      if (isNamespaceTerminating(error)) return
      events.warning(replicaSet, 'FailedCreate', `Error creating: ${String(error)}`)
      throw error
    }
  })
  await Promise.all(
    remove.map(async ({ metadata }) => {
      await client.delete(Pod, metadata, { preconditions: { uid: metadata.uid } })
      events.normal(replicaSet, 'SuccessfulDelete', `Deleted pod: ${metadata.name}`)
    }),
  )
}

/** One first, then two at once, four, eight …: what fails for all fails for few. */
async function inGrowingBatches(count: number, make: () => Promise<void>): Promise<void> {
  for (let done = 0, size = 1; done < count; done += size, size *= 2) {
    await Promise.all(Array.from({ length: Math.min(size, count - done) }, make))
  }
}

async function matching(
  pod: Pod,
  client: Pick<Client, 'list'>,
): Promise<{ namespace: string; name: string }[]> {
  const replicaSets = await client.list(ReplicaSet, { namespace: pod.metadata.namespace })
  return replicaSets
    .filter(({ spec }) => matchesLabels(labelSelectorFrom(spec.selector), pod.metadata.labels ?? {}))
    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}
