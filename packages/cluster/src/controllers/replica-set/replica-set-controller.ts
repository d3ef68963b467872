import { deepEqual, labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { Pod, ReplicaSet, ReplicationController, type AppsV1 } from '@homeostat/api/kinds'
import {
  controller,
  controllerOf,
  controllerReference,
  type Client,
  type Controller,
  type ReconcileContext,
} from 'homeostat'
import { adopted, planClaim, released } from '../pods/claim.ts'
import { failureText } from '../objects/failure-text.ts'
import { inGrowingBatches } from '../pods/growing-batches.ts'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'
import { isActive, isTerminating, nextAvailable } from '../pods/pod-facts.ts'
import { planPods, podOf, type PodPlan } from './pod-plan.ts'
import { replicaSetStatus, type ReplicaFailure } from './replica-set-status.ts'

type PodKey = { namespace: string; name: string }

/** A kind that keeps a number of Pods, and how to read its objects as ReplicaSets. */
interface ReplicaKind {
  /** The name of its controller. */
  readonly name: string
  readonly kind: typeof ReplicaSet | typeof ReplicationController
  readonly asReplicaSet: (object: ReplicaSet | ReplicationController) => ReplicaSet
  /** The status of its objects, from that of a ReplicaSet. */
  readonly statusOf: (status: AppsV1.ReplicaSetStatus) => AppsV1.ReplicaSetStatus
}

/** Keeps as many Pods that match a ReplicaSet as its spec asks for. */
export const replicaSetController = replicaController({
  name: 'replicaset-controller',
  kind: ReplicaSet,
  asReplicaSet: (object) => object as ReplicaSet,
  statusOf: (status) => status,
})

/** Does the same for ReplicationControllers, which select Pods only by labels and do not count terminating ones. */
export const replicationControllerController = replicaController({
  name: 'replication-controller',
  kind: ReplicationController,
  asReplicaSet(object) {
    const matchLabels = (object as ReplicationController).spec?.selector ?? {}
    return { ...object, spec: { replicas: 1, ...object.spec, selector: { matchLabels } } } as ReplicaSet
  },
  statusOf(status) {
    const { terminatingReplicas: _, ...rest } = status
    return rest
  },
})

function replicaController({ name, kind, asReplicaSet, statusOf }: ReplicaKind): Controller {
  const list = async (client: Pick<Client, 'list'>, namespace: string): Promise<ReplicaSet[]> =>
    (await client.list(kind, { namespace })).map((object) => asReplicaSet(object))
  return (
    controller(name)
      .for(kind)
      .owns(Pod)
      // A ReplicaSet may adopt a Pod without a controller.
      .watches(Pod, (pod, { client }) =>
        controllerOf(pod)
          ? undefined
          : list(client, pod.metadata.namespace).then((sets) => matching(pod, sets)),
      )
      .options({ maxConcurrentReconciles: 4 })
      .reconcile(async (request, context) => {
        const { client, clock } = context
        const object = await client.get(kind, request)
        if (!object) return undefined
        const replicaSet = asReplicaSet(object)
        const { namespace } = replicaSet.metadata
        const all = await client.list(Pod, { namespace })
        const pods = await claimPods(replicaSet, all, client)
        const active = pods.filter(isActive)
        const terminating = pods.filter(isTerminating)
        let failure: ReplicaFailure | undefined
        let thrown: unknown
        if (!replicaSet.metadata.deletionTimestamp) {
          const surplus = active.length > (replicaSet.spec.replicas ?? 1)
          const siblings = surplus ? siblingPods(replicaSet, all, await list(client, namespace)) : []
          const plan = planPods(replicaSet, active, siblings, clock.now())
          try {
            await carryOut(plan, replicaSet, context)
          } catch (error) {
            thrown = error
            failure = {
              reason: plan.create > 0 ? 'FailedCreate' : 'FailedDelete',
              message: failureText(error),
            }
          }
        }
        const status = statusOf(replicaSetStatus(replicaSet, { active, terminating }, failure, clock.now()))
        if (!deepEqual(status, object.status)) {
          await client.status.update(kind, { ...object, status })
        }
        if (thrown !== undefined) throw thrown
        const requeueAfter = nextAvailable(active, replicaSet.spec.minReadySeconds ?? 0, clock.now())
        return requeueAfter === undefined ? undefined : { requeueAfter }
      })
  )
}

/** The Pods that the ReplicaSet controls, after it has adopted those that match and released the others. */
async function claimPods(replicaSet: ReplicaSet, all: readonly Pod[], client: Client): Promise<Pod[]> {
  const selector = labelSelectorFrom(replicaSet.spec.selector)
  const claim = planClaim(replicaSet, all, ({ metadata }) => matchesLabels(selector, metadata.labels))
  const reference = controllerReference(replicaSet)
  const free = claim.adopt.filter(isActive)
  const taken = await Promise.all(free.map((pod) => client.update(Pod, adopted(pod, reference))))
  await Promise.all(claim.release.map((pod) => client.update(Pod, released(pod, replicaSet))))
  return [...claim.owned, ...taken]
}

/** The Pods of all ReplicaSets that share this one's controller, its own among them. */
function siblingPods(
  replicaSet: ReplicaSet,
  all: readonly Pod[],
  others: readonly ReplicaSet[],
): readonly Pod[] {
  const owner = controllerOf(replicaSet)
  const sets = owner ? others.filter((other) => controllerOf(other)?.uid === owner.uid) : [replicaSet]
  const selectors = sets.map(({ spec }) => labelSelectorFrom(spec.selector))
  return all.filter(({ metadata }) =>
    selectors.some((selector) => matchesLabels(selector, metadata.labels ?? {})),
  )
}

async function carryOut(
  { create, remove }: PodPlan,
  replicaSet: ReplicaSet,
  { client, events }: ReconcileContext,
): Promise<void> {
  await inGrowingBatches(Array.from({ length: create }), async () => {
    try {
      const pod = await client.create(Pod, podOf(replicaSet))
      events.normal(replicaSet, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
    } catch (error) {
      if (isNamespaceTerminating(error)) return
      events.warning(replicaSet, 'FailedCreate', `Error creating: ${failureText(error)}`)
      throw error
    }
  })
  const results = await Promise.allSettled(
    remove.map(async ({ metadata }) => {
      try {
        const found = await client.delete(Pod, metadata, { preconditions: { uid: metadata.uid } })
        if (found) events.normal(replicaSet, 'SuccessfulDelete', `Deleted pod: ${metadata.name}`)
      } catch (error) {
        events.warning(replicaSet, 'FailedDelete', `Error deleting: ${failureText(error)}`)
        throw error
      }
    }),
  )
  const failed = results.find(({ status }) => status === 'rejected')
  if (failed) throw (failed as PromiseRejectedResult).reason
}

function matching(pod: Pod, replicaSets: readonly ReplicaSet[]): PodKey[] {
  return replicaSets
    .filter(({ spec }) => matchesLabels(labelSelectorFrom(spec.selector), pod.metadata.labels ?? {}))
    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}
