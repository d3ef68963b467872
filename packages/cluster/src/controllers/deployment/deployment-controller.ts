import { labelSelectorFrom, matchesLabels } from '@homeostat/api'
import { Deployment, Pod, ReplicaSet } from '@homeostat/api/kinds'
import {
  controller,
  controllerOf,
  controllerReference,
  hasOwner,
  isAlreadyExists,
  type ReconcileContext,
  type Result,
} from 'homeostat'
import { adopted, planClaim, released } from '../claim.ts'
import { sameJson } from '../same-json.ts'
import { deadlineIn, deploymentStatus, isComplete } from './deployment-status.ts'
import { currentAnnotations, findCurrent, newReplicaSet, REVISION, scaleAnnotations } from './revisions.ts'
import {
  currentSize,
  isScaling,
  planCleanUp,
  planRecreate,
  planRolling,
  planScale,
  type Scaling,
} from './rollout-plan.ts'
import { isRolling, sizeOf } from './rollout-limits.ts'
import { hasTemplate } from './template-hash.ts'

/**
 * Keeps a ReplicaSet for each template that a Deployment has had, and moves the Pods from the old ones to
 * the current one, step by step: each change of a ReplicaSet brings the next step.
 */
export const deploymentController = controller('deployment-controller')
  .for(Deployment)
  .owns(ReplicaSet)
  // Where no two templates may run at once, the end of the last old Pod is what it waits for.
  .watches(
    Pod,
    async (pod, { client }) => {
      const { namespace } = pod.metadata
      const owner = controllerOf(pod)
      if (owner?.kind !== ReplicaSet.kind) return undefined
      const replicaSet = await client.get(ReplicaSet, { namespace, name: owner.name })
      const deployment = replicaSet && controllerOf(replicaSet)
      return deployment && { namespace, name: deployment.name }
    },
    { predicate: (event) => event.type === 'deleted' },
  )
  .options({ maxConcurrentReconciles: 4 })
  .reconcile(async (request, context) => {
    const { client } = context
    const deployment = await client.get(Deployment, request)
    if (!deployment) return undefined
    const replicaSets = await claimReplicaSets(deployment, context)
    return new Rollout(deployment, replicaSets, context).step()
  })

/** The ReplicaSets that the Deployment controls, after taking in those that match and letting go the others. */
async function claimReplicaSets(deployment: Deployment, { client }: ReconcileContext): Promise<ReplicaSet[]> {
  const { namespace } = deployment.metadata
  const selector = labelSelectorFrom(deployment.spec.selector)
  const all = await client.list(ReplicaSet, { namespace })
  const claim = planClaim(deployment, all, ({ metadata }) => matchesLabels(selector, metadata.labels ?? {}))
  const reference = controllerReference(deployment, Deployment)
  const taken = await Promise.all(
    claim.adopt.map((set) => client.update(ReplicaSet, adopted(set, reference))),
  )
  await Promise.all(claim.release.map((set) => client.update(ReplicaSet, released(set, deployment))))
  return [...claim.owned, ...taken]
}

/** One step of one Deployment. */
class Rollout {
  readonly #deployment: Deployment
  readonly #context: ReconcileContext
  readonly #old: readonly ReplicaSet[]
  #current: ReplicaSet | undefined
  #created = false

  constructor(deployment: Deployment, replicaSets: readonly ReplicaSet[], context: ReconcileContext) {
    this.#deployment = deployment
    this.#context = context
    this.#current = findCurrent(deployment, replicaSets)
    this.#old = replicaSets.filter((replicaSet) => replicaSet !== this.#current)
  }

  async step(): Promise<Result> {
    const deployment = this.#deployment
    if (deployment.metadata.deletionTimestamp) return this.#writeStatus({ judgeProgress: false })
    await this.#annotateCurrent()
    const all = this.#current ? [...this.#old, this.#current] : this.#old
    if (deployment.spec.paused || isScaling(deployment, all)) {
      await this.#scale(planScale(deployment, this.#current, this.#old))
      if (deployment.spec.paused) await this.#cleanUp()
      return this.#writeStatus({ judgeProgress: false })
    }
    const scaled = isRolling(deployment) ? await this.#roll() : await this.#recreate()
    if (!scaled && isComplete(deployment, deployment.status)) await this.#cleanUp()
    return this.#writeStatus({ judgeProgress: true })
  }

  async #roll(): Promise<boolean> {
    this.#current ??= await this.#create()
    return this.#scale(planRolling(this.#deployment, this.#current, this.#old))
  }

  async #recreate(): Promise<boolean> {
    const plan = planRecreate(this.#deployment, this.#current, this.#old, await this.#oldPodsRun())
    if (plan !== 'create') return this.#scale(plan)
    this.#current = await this.#create()
    return false
  }

  async #create(): Promise<ReplicaSet> {
    const { client, events } = this.#context
    const deployment = this.#deployment
    const replicas = currentSize(deployment, undefined, this.#old)
    const wanted = newReplicaSet(deployment, this.#old, replicas)
    try {
      const created = await client.create(ReplicaSet, wanted)
      this.#created = true
      if (replicas > 0) this.#recordScaling(created, 0, replicas)
      return created
    } catch (error) {
      if (!isAlreadyExists(error)) {
        events.warning(
          deployment,
          'ReplicaSetCreateError',
          `Failed to create new replica set: ${String(error)}`,
        )
        throw error
      }
      const { namespace } = deployment.metadata
      const there = await client.get(ReplicaSet, { namespace, name: wanted.metadata.name ?? '' })
      const ours = there && hasOwner(there, deployment, { controller: true })
      if (ours && hasTemplate(there, deployment.spec.template)) return there
      // Another template has the same hash: count on, and the next try has another name.
      const collisionCount = (deployment.status.collisionCount ?? 0) + 1
      await client.status.update(Deployment, {
        ...deployment,
        status: { ...deployment.status, collisionCount },
      })
      throw error
    }
  }

  /** Whether Pods of other templates are still there, be they on their way out. */
  async #oldPodsRun(): Promise<boolean> {
    if (this.#old.some((replicaSet) => (replicaSet.status.replicas ?? 0) > 0)) return true
    const { namespace } = this.#deployment.metadata
    const owners = new Set(this.#old.map(({ metadata }) => metadata.uid))
    const pods = await this.#context.client.list(Pod, { namespace })
    return pods.some((pod) => {
      const over = pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed'
      return !over && owners.has(controllerOf(pod)?.uid ?? '')
    })
  }

  /** Brings annotations of the current ReplicaSet, its revision among them, up to date. */
  async #annotateCurrent(): Promise<void> {
    const current = this.#current
    if (!current) return
    const annotations = currentAnnotations(this.#deployment, current, this.#old)
    const minReadySeconds = this.#deployment.spec.minReadySeconds ?? 0
    const same = sameJson(annotations, current.metadata.annotations ?? {})
    if (!same || (current.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      this.#current = await this.#context.client.update(ReplicaSet, {
        ...current,
        metadata: { ...current.metadata, annotations },
        spec: { ...current.spec, minReadySeconds },
      })
    }
  }

  /** Scales; says whether any number changed. */
  async #scale(plan: readonly Scaling[]): Promise<boolean> {
    let changed = false
    for (const { replicaSet, replicas } of plan) {
      const annotations = { ...replicaSet.metadata.annotations, ...scaleAnnotations(this.#deployment) }
      const before = sizeOf(replicaSet)
      if (before === replicas && sameJson(annotations, replicaSet.metadata.annotations)) continue
      await this.#context.client.update(ReplicaSet, {
        ...replicaSet,
        metadata: { ...replicaSet.metadata, annotations },
        spec: { ...replicaSet.spec, replicas },
      })
      if (before === replicas) continue
      changed = true
      this.#recordScaling(replicaSet, before, replicas)
    }
    return changed
  }

  #recordScaling(replicaSet: ReplicaSet, before: number, after: number): void {
    const direction = before < after ? 'up' : 'down'
    const note = `Scaled ${direction} replica set ${replicaSet.metadata.name} from ${before} to ${after}`
    this.#context.events.normal(this.#deployment, 'ScalingReplicaSet', note)
  }

  async #cleanUp(): Promise<void> {
    for (const { metadata } of planCleanUp(this.#deployment, this.#old)) {
      await this.#context.client.delete(ReplicaSet, metadata, { preconditions: { uid: metadata.uid } })
    }
  }

  /**
   * Writes the status, and with it the revision: an annotation written by itself would count as a new
   * generation of the Deployment.
   */
  async #writeStatus({ judgeProgress }: { judgeProgress: boolean }): Promise<Result> {
    const { client, clock } = this.#context
    const deployment = this.#deployment
    const now = clock.now()
    const status = deploymentStatus({
      deployment,
      current: this.#current,
      old: this.#old,
      created: this.#created,
      judgeProgress,
      now,
    })
    const revision = this.#current?.metadata.annotations?.[REVISION]
    const annotations = { ...deployment.metadata.annotations, ...(revision ? { [REVISION]: revision } : {}) }
    if (
      !sameJson(status, deployment.status) ||
      !sameJson(annotations, deployment.metadata.annotations ?? {})
    ) {
      const metadata = { ...deployment.metadata, annotations }
      await client.status.update(Deployment, { ...deployment, metadata, status })
    }
    const requeueAfter = judgeProgress ? deadlineIn(deployment, status, now) : undefined
    return requeueAfter === undefined ? undefined : { requeueAfter }
  }
}
