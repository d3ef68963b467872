import { deepEqual } from '@homeostat/api'
import { Deployment, Pod, ReplicaSet, type AppsV1 } from '@homeostat/api/kinds'
import {
  controllerOf,
  hasOwnerReference,
  isAlreadyExists,
  type ReconcileContext,
  type Result,
} from 'homeostat'
import { failureText } from '../objects/failure-text.ts'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'
import { deadlineIn, deploymentStatus, isComplete } from './deployment-status.ts'
import { pauseMilestone, withMilestone } from './milestones.ts'
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

type Status = Deployment['status'] | AppsV1.DeploymentStatus

/** One step of one Deployment. */
export class Rollout {
  readonly #context: ReconcileContext
  readonly #old: readonly ReplicaSet[]
  #deployment: Deployment
  #current: ReplicaSet | undefined
  #written = false

  constructor(deployment: Deployment, replicaSets: readonly ReplicaSet[], context: ReconcileContext) {
    this.#deployment = deployment
    this.#context = context
    this.#current = findCurrent(deployment, replicaSets)
    this.#old = replicaSets.filter((replicaSet) => replicaSet !== this.#current)
  }

  async step(): Promise<Result> {
    if (this.#deployment.metadata.deletionTimestamp) return this.#writeCounts({ checkProgress: false })
    // The deadline does not run while the Deployment is paused, so that a pause is recorded before anything else.
    const pause = pauseMilestone(this.#deployment)
    if (pause) await this.#write(withMilestone(this.#deployment, pause, this.#context.clock.now()))
    await this.#noteCurrent()
    const deployment = this.#deployment
    const all = this.#current ? [...this.#old, this.#current] : this.#old
    if (deployment.spec.paused || isScaling(deployment, all)) {
      await this.#scale(planScale(deployment, this.#current, this.#old))
      if (deployment.spec.paused) await this.#cleanUp()
      return this.#writeCounts({ checkProgress: false })
    }
    const scaled = isRolling(deployment) ? await this.#roll() : await this.#recreate()
    if (!scaled && isComplete(this.#deployment, this.#deployment.status)) await this.#cleanUp()
    return this.#writeCounts({ checkProgress: true })
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
    const { client, events, clock } = this.#context
    const deployment = this.#deployment
    const replicas = currentSize(deployment, undefined, this.#old)
    const wanted = newReplicaSet(deployment, this.#old, replicas)
    const name = wanted.metadata.name ?? ''
    let created: ReplicaSet
    try {
      created = await client.create(ReplicaSet, wanted)
    } catch (error) {
      if (isNamespaceTerminating(error)) throw error
      if (isAlreadyExists(error)) return this.#existing(name, error)
      const why = failureText(error)
      await this.#write(withMilestone(deployment, { type: 'failed', replicaSet: name, why }, clock.now()))
      const note = `Failed to create new replica set "${name}": ${why}`
      events.warning(deployment, 'ReplicaSetCreateError', note)
      throw error
    }
    if (replicas > 0) this.#recordScaling(created, 0, replicas)
    const status = withMilestone(deployment, { type: 'created', replicaSet: name }, clock.now())
    await this.#write(status, created.metadata.annotations?.[REVISION])
    return created
  }

  /** The existing ReplicaSet of this name, if it belongs to this Deployment. */
  async #existing(name: string, error: unknown): Promise<ReplicaSet> {
    const deployment = this.#deployment
    const { namespace } = deployment.metadata
    const there = await this.#context.client.live.get(ReplicaSet, { namespace, name })
    const ours = there && hasOwnerReference(deployment, there, { controller: true })
    if (ours && hasTemplate(there, deployment.spec.template)) return there
    // Another template has the same hash: the next collision count gives another name.
    await this.#write({ ...deployment.status, collisionCount: (deployment.status.collisionCount ?? 0) + 1 })
    throw error
  }

  /** Whether Pods of other templates still exist, terminating ones included. */
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

  /**
   * Brings the annotations of the current ReplicaSet, its revision among them, up to date, and then the
   * Deployment's. Its revision is written with its status: alone it would count as a new generation.
   */
  async #noteCurrent(): Promise<void> {
    const current = this.#current
    if (!current) return
    const { client, clock } = this.#context
    const annotations = currentAnnotations(this.#deployment, current, this.#old)
    const minReadySeconds = this.#deployment.spec.minReadySeconds ?? 0
    const same = deepEqual(annotations, current.metadata.annotations ?? {})
    if (!same || (current.spec.minReadySeconds ?? 0) !== minReadySeconds) {
      this.#current = await client.update(ReplicaSet, {
        ...current,
        metadata: { ...current.metadata, annotations },
        spec: { ...current.spec, minReadySeconds },
      })
      return
    }
    const known = this.#deployment.status.conditions?.some(({ type }) => type === 'Progressing')
    const found = { type: 'found', replicaSet: current.metadata.name } as const
    const status = known ? this.#deployment.status : withMilestone(this.#deployment, found, clock.now())
    await this.#write(status, annotations[REVISION])
  }

  /** Scales the ReplicaSets, one after the other. Returns whether a number has changed. */
  async #scale(plan: readonly Scaling[]): Promise<boolean> {
    const latest = new Map<string, ReplicaSet>()
    let changed = false
    for (const { replicaSet: planned, replicas } of plan) {
      const replicaSet = latest.get(planned.metadata.uid) ?? planned
      const annotations = { ...replicaSet.metadata.annotations, ...scaleAnnotations(this.#deployment) }
      const before = sizeOf(replicaSet)
      if (before === replicas && deepEqual(annotations, replicaSet.metadata.annotations)) continue
      const scaled = await this.#context.client.update(ReplicaSet, {
        ...replicaSet,
        metadata: { ...replicaSet.metadata, annotations },
        spec: { ...replicaSet.spec, replicas },
      })
      latest.set(scaled.metadata.uid, scaled)
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

  async #writeCounts({ checkProgress }: { checkProgress: boolean }): Promise<Result> {
    const deployment = this.#deployment
    const now = this.#context.clock.now()
    const status = deploymentStatus({
      deployment,
      current: this.#current,
      old: this.#old,
      checkProgress,
      now,
    })
    await this.#write(status)
    const requeueAfter = checkProgress ? deadlineIn(deployment, status, now) : undefined
    return requeueAfter === undefined ? undefined : { requeueAfter }
  }

  /**
   * Writes the status, and the revision where one is given, if something differs. A reconcile writes once. Its
   * write causes the next reconcile, which writes the rest, so that watchers see each change.
   */
  async #write(status: Status, revision?: string): Promise<void> {
    if (this.#written) return
    const { metadata, status: before } = this.#deployment
    const annotations = { ...metadata.annotations, ...(revision ? { [REVISION]: revision } : {}) }
    if (deepEqual(status, before) && deepEqual(annotations, metadata.annotations ?? {})) return
    this.#written = true
    this.#deployment = await this.#context.client.status.update(Deployment, {
      ...this.#deployment,
      metadata: { ...metadata, annotations },
      status,
    })
  }
}
