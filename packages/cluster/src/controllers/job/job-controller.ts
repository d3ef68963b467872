import { deepEqual, labelSelectorFrom, matchesLabels, timestamp } from '@homeostat/api'
import { Job, Pod, type BatchV1 } from '@homeostat/api/kinds'
import {
  controller,
  controllerOf,
  controllerReference,
  isNotFound,
  type Client,
  type Controller,
  type ObjectEvent,
  type ReconcileContext,
  type Result,
} from 'homeostat'
import { adopted, planClaim, released } from '../pods/claim.ts'
import { delayedRequests, type DelayedRequest } from '../objects/delayed-requests.ts'
import { failureText } from '../objects/failure-text.ts'
import { inGrowingBatches } from '../pods/growing-batches.ts'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'
import { isReady } from '../pods/pod-facts.ts'
import { countFailures, type Failures } from './back-off.ts'
import { jobCondition, jobEnd, withJobCondition } from './job-conditions.ts'
import { podOf } from './job-pod.ts'
import { isOurs, isTracked, TRACKING_FINALIZER } from './job-pods.ts'
import { countReleased, trackPods, withEnd, type JobStatusDraft } from './job-tracking.ts'
import { completionsReached, deadlineIn, endingCondition } from './job-outcome.ts'
import { viewJob, type JobView } from './job-view.ts'
import { planPodChanges } from './pod-changes.ts'
import { releasePod } from './release-pod.ts'

/** How long changes of Pods and of a Job's status are collected before the Job is reconciled. */
const BATCH_PERIOD = 1_000

/**
 * Runs Jobs: creates their Pods, replaces those that fail, counts the end of each Pod exactly once, and sets the
 * condition that ends the Job. The wait of a Job after failures is kept in memory; a new process starts from zero.
 */
export function jobController(): Controller {
  const failures = new Map<string, Failures>()
  return (
    controller('job-controller')
      .for(Job, {
        predicate: (event) =>
          event.type !== 'updated' || event.object.metadata.generation !== event.before.metadata.generation,
      })
      .watches(delayedRequests(Job, batchedJob), (request) => request)
      .watches(delayedRequests(Pod, batchedOwner), (request) => request)
      // A Job may adopt a Pod without a controller.
      .watches(delayedRequests(Pod, batchedOrphan), (key, { client }) => matching(key, client))
      .options({ maxConcurrentReconciles: 5 })
      .reconcile(async (request, context) => {
        const job = await context.client.get(Job, request)
        if (!job || jobEnd(job) || !isOurs(job)) {
          failures.delete(`${request.namespace}/${request.name}`)
          return undefined
        }
        return new JobStep(job, failures, context).run()
      })
  )
}

/** One step of one Job. */
class JobStep {
  readonly #job: Job
  readonly #key: string
  readonly #failures: Map<string, Failures>
  readonly #context: ReconcileContext
  readonly #status: JobStatusDraft
  /** After how many milliseconds to reconcile again, for one reason or several. */
  readonly #waits: number[] = []
  #problem: unknown

  constructor(job: Job, failures: Map<string, Failures>, context: ReconcileContext) {
    const { namespace, name } = job.metadata
    this.#job = job
    this.#key = `${namespace}/${name}`
    this.#failures = failures
    this.#context = context
    this.#status = draftOf(job)
  }

  async run(): Promise<Result> {
    const { clock } = this.#context
    const job = this.#job
    const view = viewJob(job, await claimPods(job, this.#context.client))
    const status = this.#status
    const now = clock.now()
    if (status.startTime === undefined && !job.spec.suspend) status.startTime = timestamp(now)
    const failures = countFailures(this.#failures.get(this.#key), view.newSucceeded, view.newFailed)
    Object.assign(status, { active: view.active.length, ready: view.ready, terminating: view.terminating })
    let finished = endingCondition(view, status.startTime, now)
    if (finished) {
      const removed = await this.#remove(view.active, { release: false })
      // Otherwise Pods that are not being deleted yet would count as failed.
      if (removed < view.active.length) finished = undefined
    } else {
      this.#note(deadlineIn(job, status.startTime, now))
      finished = await this.#changePods(view, failures)
    }
    await this.#track(view, finished, failures)
    if (this.#problem !== undefined) throw this.#problem
    return this.#waits.length === 0 ? undefined : { requeueAfter: Math.max(1, Math.min(...this.#waits)) }
  }

  /** Creates or deletes Pods towards the wanted number. Returns the condition of a Job that is complete. */
  async #changePods(view: JobView, failures: Failures): Promise<BatchV1.JobCondition | undefined> {
    const { clock, events } = this.#context
    const job = this.#job
    const status = this.#status
    const now = clock.now()
    if (!job.metadata.deletionTimestamp) {
      const plan = planPodChanges(view, failures, now)
      await this.#remove(plan.remove, { release: true })
      await this.#create(plan.create, view)
      this.#note(plan.wait === undefined ? undefined : Math.max(plan.wait, BATCH_PERIOD))
    }
    const { completions } = job.spec
    const enough = completions === undefined ? view.succeeded > 0 : view.succeeded >= completions
    if (enough && status.active === 0) return completionsReached(now)
    if (job.metadata.deletionTimestamp) return undefined
    const suspended = job.spec.suspend
      ? jobCondition('Suspended', 'True', 'JobSuspended', 'Job suspended', now)
      : jobCondition('Suspended', 'False', 'JobResumed', 'Job resumed', now)
    const { conditions, changed } = withJobCondition(status.conditions, suspended)
    if (!changed) return undefined
    status.conditions = conditions as JobStatusDraft['conditions']
    events.normal(job, job.spec.suspend ? 'Suspended' : 'Resumed', suspended.message ?? '')
    // The time that a Job is suspended does not count against its deadline.
    if (job.spec.suspend) delete status.startTime
    else status.startTime = timestamp(now)
    return undefined
  }

  /** Deletes Pods. With `release`, removes their finalizer first, so that the Job does not count them. Returns how many are gone. */
  async #remove(pods: readonly Pod[], { release }: { release: boolean }): Promise<number> {
    const { client, events } = this.#context
    const job = this.#job
    let removed = 0
    await Promise.all(
      pods.map(async (pod) => {
        const { metadata } = pod
        try {
          if (release) await releasePod(pod, client)
          await client.delete(Pod, metadata, { preconditions: { uid: metadata.uid } })
          events.normal(job, 'SuccessfulDelete', `Deleted pod: ${metadata.name}`)
        } catch (error) {
          if (!isNotFound(error)) {
            this.#problem ??= error
            events.warning(job, 'FailedDelete', `Error deleting: ${failureText(error)}`)
            return
          }
        }
        removed++
        if (isReady(pod)) this.#status.ready = (this.#status.ready ?? 0) - 1
      }),
    )
    this.#status.active = (this.#status.active ?? 0) - removed
    this.#status.terminating = (this.#status.terminating ?? 0) + removed
    return removed
  }

  async #create(indexes: readonly (number | undefined)[], view: JobView): Promise<void> {
    const { client, events } = this.#context
    const job = this.#job
    try {
      await inGrowingBatches(indexes, async (index) => {
        const replaced = index === undefined ? undefined : view.indexes.toReplace.get(index)
        try {
          const pod = await client.create(Pod, podOf(job, index, replaced))
          events.normal(job, 'SuccessfulCreate', `Created pod: ${pod.metadata.name}`)
          this.#status.active = (this.#status.active ?? 0) + 1
        } catch (error) {
          if (isNamespaceTerminating(error)) return
          events.warning(job, 'FailedCreate', `Error creating: ${failureText(error)}`)
          throw error
        }
      })
    } catch (error) {
      this.#problem ??= error
    }
  }

  /**
   * Records the Pods that ended, removes their finalizers, and counts them: in this order, so that none is lost or
   * counted twice.
   */
  async #track(view: JobView, finished: BatchV1.JobCondition | undefined, failures: Failures): Promise<void> {
    const { client, clock, events } = this.#context
    const { status, changed, release, end } = trackPods(view, this.#status, finished, clock.now())
    let job = this.#job
    const write = async (draft: JobStatusDraft): Promise<void> => {
      job = await client.status.update(Job, { ...job, status: writtenStatus(draft) })
    }
    if (changed || this.#differs(status)) {
      await write(status)
      this.#failures.set(this.#key, failures)
    }
    const held = new Set(view.pods.filter(isTracked).map(({ metadata }) => metadata.uid))
    await Promise.all(
      release.map(async (pod) => {
        try {
          await releasePod(pod, client)
          held.delete(pod.metadata.uid)
        } catch (error) {
          this.#problem ??= error
        }
      }),
    )
    const counted = countReleased(status, held)
    const ended = this.#problem === undefined ? withEnd(counted, end) : undefined
    if (ended || counted !== status) await write(ended ?? counted)
    if (!ended || !end) return
    if (end.type === 'Complete') {
      if ((job.status.succeeded ?? 0) > (job.spec.completions ?? Infinity)) {
        const note = 'Too many succeeded pods running after completion count reached'
        events.warning(job, 'TooManySucceededPods', note)
      }
      events.normal(job, 'Completed', 'Job completed')
    } else {
      events.warning(job, end.reason ?? '', end.message ?? '')
    }
  }

  #differs(status: JobStatusDraft): boolean {
    const { active, ready, terminating, conditions = [] } = this.#job.status
    return (
      (active ?? 0) !== status.active ||
      ready !== status.ready ||
      terminating !== status.terminating ||
      !deepEqual(conditions, status.conditions)
    )
  }

  #note(wait: number | undefined): void {
    if (wait !== undefined) this.#waits.push(wait)
  }
}

/** The Pods that the Job controls, after it has adopted those that match and released the others. */
async function claimPods(job: Job, client: Client): Promise<Pod[]> {
  const selector = labelSelectorFrom(job.spec.selector)
  const all = await client.list(Pod, { namespace: job.metadata.namespace })
  const claim = planClaim(job, all, ({ metadata }) => matchesLabels(selector, metadata.labels ?? {}))
  const reference = controllerReference(job)
  const taken = await Promise.all(
    claim.adopt.map((pod) => client.update(Pod, adopted(withFinalizer(pod), reference))),
  )
  await Promise.all(claim.release.map((pod) => client.update(Pod, released(withoutFinalizer(pod), job))))
  return [...claim.owned, ...taken]
}

function withFinalizer(pod: Pod): Pod {
  if (isTracked(pod)) return pod
  const finalizers = [...(pod.metadata.finalizers ?? []), TRACKING_FINALIZER]
  return { ...pod, metadata: { ...pod.metadata, finalizers } }
}

function withoutFinalizer(pod: Pod): Pod {
  const finalizers = pod.metadata.finalizers?.filter((one) => one !== TRACKING_FINALIZER)
  return { ...pod, metadata: { ...pod.metadata, finalizers } }
}

function draftOf({ status }: Job): JobStatusDraft {
  const { uncountedTerminatedPods: uncounted, conditions = [] } = status
  return {
    ...(status as BatchV1.JobStatus),
    uncountedTerminatedPods: {
      succeeded: [...(uncounted?.succeeded ?? [])],
      failed: [...(uncounted?.failed ?? [])],
    },
    conditions: conditions as JobStatusDraft['conditions'],
  }
}

/** Leaves out what is empty, as the API does. */
function writtenStatus(draft: JobStatusDraft): BatchV1.JobStatus {
  const { succeeded, failed } = draft.uncountedTerminatedPods
  const { active, completedIndexes, conditions, ...rest } = draft
  return {
    ...rest,
    ...(active ? { active } : {}),
    ...(completedIndexes ? { completedIndexes } : {}),
    ...(conditions.length > 0 ? { conditions } : {}),
    succeeded: draft.succeeded || undefined,
    failed: draft.failed || undefined,
    uncountedTerminatedPods: {
      ...(succeeded.length > 0 ? { succeeded } : {}),
      ...(failed.length > 0 ? { failed } : {}),
    },
  }
}

type JobRequest = DelayedRequest<{ namespace: string; name: string }>

/** The delayed request for a change of a Job's status. Undefined for other changes, which are reconciled at once. */
function batchedJob(event: ObjectEvent<typeof Job>): JobRequest | undefined {
  if (event.type !== 'updated' || jobEnd(event.object)) return undefined
  const { namespace, name, generation } = event.object.metadata
  if (generation !== event.before.metadata.generation) return undefined
  return { request: { namespace, name }, after: BATCH_PERIOD }
}

function batchedOwner({ object }: ObjectEvent<typeof Pod>): JobRequest | undefined {
  const owner = controllerOf(object)
  if (owner?.kind !== Job.kind) return undefined
  return { request: { namespace: object.metadata.namespace, name: owner.name }, after: BATCH_PERIOD }
}

function batchedOrphan({ object, type }: ObjectEvent<typeof Pod>): JobRequest | undefined {
  if (controllerOf(object) || type === 'deleted') return undefined
  const { namespace, name } = object.metadata
  return { request: { namespace, name }, after: BATCH_PERIOD }
}

/** The Jobs that would adopt a Pod. */
async function matching(
  key: { namespace: string; name: string },
  client: Pick<Client, 'get' | 'list'>,
): Promise<{ namespace: string; name: string }[]> {
  const pod = await client.get(Pod, key)
  if (!pod || controllerOf(pod)) return []
  const jobs = await client.list(Job, { namespace: key.namespace })
  return jobs
    .filter(({ spec }) => matchesLabels(labelSelectorFrom(spec.selector), pod.metadata.labels ?? {}))
    .map(({ metadata }) => ({ namespace: metadata.namespace, name: metadata.name }))
}
