import type { CreateOf } from '@homeostat/api'
import type { ControllerRevision, PersistentVolumeClaim, Pod, StatefulSet } from '@homeostat/api/kinds'
import { availableIn, isReady } from '../pods/pod-facts.ts'
import { isLeftover, planClaimOwners } from './claim-owners.ts'
import { templateOf } from './controller-revisions.ts'
import { claimsOf, fitsPlace, isWanted, newPod, ordinalOf, revisionOf, startOf } from './stateful-pod.ts'

/** The most actions for the Pods of a set in one reconcile. */
const BURST = 500

/** One thing to do. */
export type Step =
  /** Make the Pod of an ordinal, its claims before it. */
  | { readonly type: 'create'; readonly ordinal: number; readonly pod: CreateOf<typeof Pod> }
  /** Create the missing claims of a Pod, and update their owners. */
  | { readonly type: 'claims'; readonly ordinal: number; readonly pod: Pod }
  /** Update a Pod and the owners of its claims for its place in the set. */
  | { readonly type: 'repair'; readonly ordinal: number; readonly pod: Pod }
  /** Update the owners of the claims of a surplus Pod. */
  | { readonly type: 'own'; readonly ordinal: number; readonly pod: Pod }
  | { readonly type: 'delete'; readonly pod: Pod }

/** The next steps of a StatefulSet. */
export interface StatefulSetPlan {
  /** The phases, one after the other: the next begins when all steps of one have succeeded. */
  readonly phases: readonly (readonly Step[])[]
  /** Whether the steps of a phase may be done at once. */
  readonly parallel: boolean
  /** How many of the deletions replace a Pod by one of the new revision. */
  readonly replaced: number
}

/** The state from which the plan is computed. */
export interface PlanInput {
  readonly set: StatefulSet
  readonly current: ControllerRevision
  readonly update: ControllerRevision
  readonly pods: readonly Pod[]
  /** The claims of the namespace, by name. */
  readonly claims: ReadonlyMap<string, PersistentVolumeClaim>
  readonly now: number
}

/** A place in the set, with the Pod that is in it. */
interface Place {
  readonly ordinal: number
  readonly pod: Pod | undefined
}

/**
 * Plans the next steps of a set. Pods start in the order of their ordinals, each when those before it are
 * available. Surplus Pods are deleted in the opposite order, one at a time. Then Pods of another revision are
 * replaced, from the last down to the partition, one at a time. With the policy `Parallel` only this
 * replacement waits for other Pods.
 */
export function planStatefulSet(input: PlanInput): StatefulSetPlan {
  const { set } = input
  const parallel = set.spec.podManagementPolicy === 'Parallel'
  const nothing: StatefulSetPlan = { phases: [], parallel, replaced: 0 }
  if (set.metadata.deletionTimestamp) return nothing
  const surplus = surplusOf(input)
  const places: Place[] = []
  const living: Step[] = []
  for (const place of placesOf(input)) {
    const { steps, wait } = planPlace(place, input, parallel)
    places.push(place)
    living.push(...steps)
    if ((wait && !parallel) || living.length >= BURST) return { ...nothing, phases: [living] }
  }
  const owning = surplus
    .filter(({ pod, ordinal }) => claimsAre('owned otherwise', pod, ordinal, input))
    .map((place): Step => ({ type: 'own', ...place }))
  const condemned = planSurplus(places, surplus, input, parallel)
  const phases = [living, owning, condemned]
  if (surplus.length > 0 && !parallel) return { ...nothing, phases }
  const outdated = planUpdate(places, input)
  return outdated
    ? { phases: [...phases, [{ type: 'delete', pod: outdated }]], parallel, replaced: 1 }
    : { ...nothing, phases }
}

/** One after the other, since a set may ask for more Pods than a list could hold. */
function* placesOf({ set, pods }: PlanInput): Generator<Place> {
  const byOrdinal = new Map(pods.map((pod) => [ordinalOf(set, pod), pod]))
  for (let ordinal = startOf(set); isWanted(set, ordinal); ordinal++) {
    yield { ordinal, pod: byOrdinal.get(ordinal) }
  }
}

/** The surplus Pods, the highest ordinal first. */
function surplusOf({ set, pods }: PlanInput): { ordinal: number; pod: Pod }[] {
  return pods
    .flatMap((pod) => {
      const ordinal = ordinalOf(set, pod)
      return ordinal === undefined || isWanted(set, ordinal) ? [] : [{ ordinal, pod }]
    })
    .sort((a, b) => b.ordinal - a.ordinal)
}

function planPlace(
  { ordinal, pod }: Place,
  input: PlanInput,
  parallel: boolean,
): { steps: Step[]; wait: boolean } {
  if (!pod) {
    const wanted = podFor(ordinal, input)
    const member = { metadata: { name: wanted.metadata.name ?? '' } }
    const blocked = claimsAt(input, ordinal).some(
      (claim) => claim && isLeftover(claim, { set: input.set, pod: member, ordinal }),
    )
    return { steps: blocked ? [] : [{ type: 'create', ordinal, pod: wanted }], wait: true }
  }
  const { phase } = pod.status
  // A Pod that has ended is replaced, whether it failed or not.
  if (phase === 'Failed' || phase === 'Succeeded') {
    return { steps: pod.metadata.deletionTimestamp ? [] : [{ type: 'delete', pod }], wait: true }
  }
  const steps: Step[] = []
  if (phase === 'Pending' && claimsAre('incomplete', pod, ordinal, input)) {
    steps.push({ type: 'claims', ordinal, pod })
  }
  const settled = phase === 'Running' && !isUnavailable(pod, input)
  if (!settled && !parallel) return { steps, wait: true }
  if (!fitsPlace(input.set, pod, ordinal) || claimsAre('owned otherwise', pod, ordinal, input)) {
    steps.push({ type: 'repair', ordinal, pod })
  }
  return { steps, wait: false }
}

function planSurplus(
  places: readonly Place[],
  surplus: readonly { readonly ordinal: number; readonly pod: Pod }[],
  input: PlanInput,
  parallel: boolean,
): Step[] {
  const leaving = surplus.filter(({ pod }) => !pod.metadata.deletionTimestamp)
  if (parallel) return leaving.map(({ pod }) => ({ type: 'delete', pod }))
  const [next] = surplus
  if (!next || next.pod.metadata.deletionTimestamp) return []
  // An unavailable Pod is deleted only if it is the first unavailable one: otherwise the set still waits for that one.
  const unavailable = [...places, ...surplus.toReversed()].find(
    ({ pod }) => !pod || isUnavailable(pod, input),
  )
  const healthy = next.pod.status.phase === 'Running' && !isUnavailable(next.pod, input)
  return healthy || unavailable?.pod === next.pod ? [{ type: 'delete', pod: next.pod }] : []
}

/** The Pod that is replaced next by one of the new revision. */
function planUpdate(places: readonly Place[], input: PlanInput): Pod | undefined {
  const { updateStrategy } = input.set.spec
  if (updateStrategy?.type === 'OnDelete') return undefined
  const first = updateStrategy?.rollingUpdate?.partition ?? 0
  for (const { ordinal, pod } of places.slice(first).reverse()) {
    const revision = pod ? revisionOf(pod) : revisionFor(ordinal, input).metadata.name
    if (pod && revision !== input.update.metadata.name && !pod.metadata.deletionTimestamp) return pod
    if (!pod || isUnavailable(pod, input)) return undefined
  }
  return undefined
}

function podFor(ordinal: number, input: PlanInput): CreateOf<typeof Pod> {
  const revision = revisionFor(ordinal, input)
  return newPod(input.set, templateOf(revision), revision.metadata.name, ordinal)
}

/** Below the partition a Pod is made by the current revision, from there on by the new one. */
function revisionFor(ordinal: number, { set, current, update }: PlanInput): ControllerRevision {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {}
  const kept = rollingUpdate
    ? (rollingUpdate.partition ?? 0)
    : type === 'RollingUpdate'
      ? (set.status.currentReplicas ?? 0)
      : 0
  return ordinal < startOf(set) + kept ? current : update
}

function isUnavailable(pod: Pod, { set, now }: PlanInput): boolean {
  const available = isReady(pod) && availableIn(pod, set.spec.minReadySeconds ?? 0, now) === 0
  return !available || pod.metadata.deletionTimestamp !== undefined
}

function claimsAt({ set, claims }: PlanInput, ordinal: number): (PersistentVolumeClaim | undefined)[] {
  return claimsOf(set, ordinal).map(({ metadata }) => claims.get(metadata.name))
}

function claimsAre(
  what: 'incomplete' | 'owned otherwise',
  pod: Pod,
  ordinal: number,
  input: PlanInput,
): boolean {
  return claimsAt(input, ordinal).some((claim) => {
    if (!claim) return what === 'incomplete'
    if (what === 'incomplete' && claim.metadata.deletionTimestamp) return true
    return planClaimOwners(claim, { set: input.set, pod, ordinal }) !== undefined
  })
}
