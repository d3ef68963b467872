import { deepEqual, labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '@homeostat/api/kinds'
import {
  controller,
  controllerOf,
  controllerReference,
  isAlreadyExists,
  type Client,
  type ReconcileContext,
} from 'homeostat'
import { adopted, planClaim, released } from '../pods/claim.ts'
import { inGrowingBatches } from '../pods/growing-batches.ts'
import { nextAvailable } from '../pods/pod-facts.ts'
import { holdsTemplate, newRevision, planHistory, planRevision } from './controller-revisions.ts'
import { claimsOf, ordinalOf } from './stateful-pod.ts'
import { StatefulPodControl } from './stateful-pod-control.ts'
import { planStatefulSet } from './stateful-set-plan.ts'
import { statefulSetStatus } from './stateful-set-status.ts'

type Key = { namespace: string; name: string }

/**
 * Keeps the numbered Pods of a StatefulSet with their claims, and rolls out a new template from the last
 * Pod to the first.
 */
export const statefulSetController = controller('statefulset-controller')
  .for(StatefulSet)
  .owns(Pod)
  // A Pod without a controller may be one that a set adopts.
  .watches(Pod, (pod, { client }) =>
    controllerOf(pod)
      ? undefined
      : setsWith(client, pod.metadata.namespace, (set) => selects(set, pod.metadata.labels ?? {})),
  )
  // The next Pod of an ordinal waits until its former claim is deleted.
  .watches(
    PersistentVolumeClaim,
    async ({ metadata: { namespace, name } }, { client }) => {
      const ordinal = Number(/-(\d+)$/.exec(name)?.[1] ?? Number.NaN)
      if (Number.isNaN(ordinal)) return undefined
      return setsWith(client, namespace, (set) =>
        claimsOf(set, ordinal).some(({ metadata }) => metadata.name === name),
      )
    },
    { predicate: ({ type }) => type === 'deleted' },
  )
  .reads(ControllerRevision)
  .options({ maxConcurrentReconciles: 4 })
  .reconcile(async (request, context) => {
    const { client, clock } = context
    const set = await client.get(StatefulSet, request)
    if (!set) return undefined
    const revisions = await claimRevisions(set, client)
    const pods = await claimPods(set, client)
    const now = clock.now()
    const { update, collisionCount } = await revisionOfTemplate(set, revisions, client)
    const current = revisions.find(({ metadata }) => metadata.name === set.status.currentRevision) ?? update
    const claims = await claimsByName(set, client)
    const plan = planStatefulSet({ set, current, update, pods, claims, now })

    const control = new StatefulPodControl(set, context)
    let thrown: { readonly error: unknown } | undefined
    try {
      for (const steps of plan.phases) {
        if (plan.parallel) await inGrowingBatches(steps, (step) => control.take(step))
        else for (const step of steps) await control.take(step)
      }
    } catch (error) {
      thrown = { error }
    }
    const replaced = thrown ? 0 : plan.replaced
    const input = { set, current, update, collisionCount, pods: members(set, pods), replaced, now }
    await writeStatus(statefulSetStatus(input), set, context)
    const live = { names: [current.metadata.name, update.metadata.name], pods }
    for (const { metadata } of planHistory(set, revisions, live)) {
      await client.delete(ControllerRevision, metadata, { preconditions: { uid: metadata.uid } })
    }
    if (thrown) throw thrown.error
    const requeueAfter = nextAvailable(pods, set.spec.minReadySeconds ?? 0, now)
    return requeueAfter === undefined ? undefined : { requeueAfter }
  })

/** The Pods that the set controls, after it has adopted those that match and released the others. */
async function claimPods(set: StatefulSet, client: Client): Promise<Pod[]> {
  const all = await client.list(Pod, { namespace: set.metadata.namespace })
  const claim = planClaim(
    set,
    all,
    (pod) => selects(set, pod.metadata.labels ?? {}) && ordinalOf(set, pod) !== undefined,
  )
  const reference = controllerReference(set)
  const taken = await Promise.all(claim.adopt.map((pod) => client.update(Pod, adopted(pod, reference))))
  await Promise.all(claim.release.map((pod) => client.update(Pod, released(pod, set))))
  return [...claim.owned, ...taken]
}

/** The revisions of the set, after it has adopted those that match and have no owner. */
async function claimRevisions(set: StatefulSet, client: Client): Promise<ControllerRevision[]> {
  const all = await client.list(ControllerRevision, { namespace: set.metadata.namespace })
  const claim = planClaim(set, all, ({ metadata }) => selects(set, metadata.labels ?? {}))
  const reference = controllerReference(set)
  const taken = await Promise.all(
    claim.adopt.map((revision) => client.update(ControllerRevision, adopted(revision, reference))),
  )
  return [...claim.owned, ...taken]
}

/** The revision of the set's template. It is created, or made the newest, where needed. */
async function revisionOfTemplate(
  set: StatefulSet,
  revisions: readonly ControllerRevision[],
  client: Client,
): Promise<{ update: ControllerRevision; collisionCount: number }> {
  const label = set.status.collisionCount ?? 0
  const plan = planRevision(set, revisions)
  if (plan.type === 'keep') return { update: plan.revision, collisionCount: label }
  if (plan.type === 'renumber') {
    const update = await client.update(ControllerRevision, { ...plan.revision, revision: plan.number })
    return { update, collisionCount: label }
  }
  for (let collisionCount = label; ; collisionCount++) {
    const wanted = newRevision(set, plan.number, { label, name: collisionCount })
    try {
      return { update: await client.create(ControllerRevision, wanted), collisionCount }
    } catch (error) {
      if (!isAlreadyExists(error)) throw error
      const { namespace } = set.metadata
      const there = await client.live.get(ControllerRevision, { namespace, name: wanted.metadata.name })
      if (!there) throw error
      if (holdsTemplate(there, set)) return { update: there, collisionCount }
      // Another template has the same hash: one more collision gives another name.
    }
  }
}

async function claimsByName(
  set: StatefulSet,
  client: Client,
): Promise<ReadonlyMap<string, PersistentVolumeClaim>> {
  if ((set.spec.volumeClaimTemplates ?? []).length === 0) return new Map()
  const claims = await client.list(PersistentVolumeClaim, { namespace: set.metadata.namespace })
  return new Map(claims.map((claim) => [claim.metadata.name, claim]))
}

async function writeStatus(
  status: ReturnType<typeof statefulSetStatus>,
  set: StatefulSet,
  { client }: ReconcileContext,
): Promise<void> {
  if (!deepEqual(status, set.status)) await client.status.update(StatefulSet, { ...set, status })
}

function members(set: StatefulSet, pods: readonly Pod[]): Pod[] {
  return pods.filter((pod) => ordinalOf(set, pod) !== undefined)
}

function selects(set: StatefulSet, labels: Readonly<Record<string, string>>): boolean {
  return matchesLabels(labelSelectorFrom(set.spec.selector), labels)
}

async function setsWith(
  client: Pick<Client, 'list'>,
  namespace: string,
  matches: (set: StatefulSet) => boolean,
): Promise<Key[]> {
  const sets = await client.list(StatefulSet, { namespace })
  return sets.filter(matches).map(({ metadata }) => ({ namespace, name: metadata.name }))
}
