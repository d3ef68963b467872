import { deepEqual, parseSchedule, timestamp, type DeepReadonly, type Schedule } from '@homeostat/api'
import { CronJob, Job, type BatchV1 } from '@homeostat/api/kinds'
import {
  controller,
  controllerOf,
  hasOwnerReference,
  isAlreadyExists,
  type ObjectEvent,
  type ReconcileContext,
  type Result,
} from 'homeostat'
import { delayedRequests, type DelayedRequest } from '../objects/delayed-requests.ts'
import { failureText } from '../objects/failure-text.ts'
import { jobEnd } from '../job/job-conditions.ts'
import { isNamespaceTerminating } from '../objects/namespace-terminating.ts'
import { compareActive } from './active-jobs.ts'
import { dueTime, nextDueIn } from './due-times.ts'
import { planHistory } from './history.ts'
import { jobName, jobOf } from './job-of.ts'

type Status = DeepReadonly<BatchV1.CronJobStatus>

/** Creates a Job for each time of a CronJob's schedule, and deletes finished Jobs beyond the limits of its history. */
export const cronJobController = controller('cronjob-controller')
  .for(CronJob, { predicate: (event) => !isRescheduled(event) })
  // Does not create Jobs at once for times of a new schedule that have already passed.
  .watches(delayedRequests(CronJob, rescheduled), (request) => request)
  .owns(Job)
  .options({ maxConcurrentReconciles: 5 })
  .reconcile(async (request, context) => {
    const cronJob = await context.client.get(CronJob, request)
    return cronJob && new CronJobStep(cronJob, context).run()
  })

/** One step of one CronJob. */
class CronJobStep {
  readonly #cronJob: CronJob
  readonly #context: ReconcileContext
  #status: Status

  constructor(cronJob: CronJob, context: ReconcileContext) {
    this.#cronJob = cronJob
    this.#context = context
    this.#status = cronJob.status
  }

  async run(): Promise<Result> {
    const { client } = this.#context
    const { namespace, name } = this.#cronJob.metadata
    const all = await client.list(Job, { namespace })
    const jobs = all.filter((job) => controllerOf(job)?.name === name)
    for (const job of planHistory(this.#cronJob, jobs)) await this.#delete(job)
    let wait: number | undefined
    try {
      await this.#compare(jobs)
      wait = await this.#start()
    } finally {
      await this.#writeStatus()
    }
    return wait === undefined ? undefined : { requeueAfter: Math.max(1, wait) }
  }

  /** Brings the list of Jobs that run up to date. */
  async #compare(jobs: readonly Job[]): Promise<void> {
    const { client, events } = this.#context
    const cronJob = this.#cronJob
    const active = compareActive({ ...cronJob, status: this.#status }, jobs)
    this.#status = active.status
    for (const { metadata } of active.unexpected) {
      const note = `Saw a job that the controller did not create or forgot: ${metadata.name}`
      events.warning(cronJob, 'UnexpectedJob', note)
    }
    for (const job of active.completed) {
      const note = `Saw completed job: ${job.metadata.name}, condition: ${jobEnd(job)}`
      events.normal(cronJob, 'SawCompletedJob', note)
    }
    for (const { name = '', uid } of active.missing) {
      // The cache may not have it yet, or another controller has adopted it.
      const { namespace } = cronJob.metadata
      if (await client.live.get(Job, { namespace, name })) continue
      events.normal(cronJob, 'MissingJob', `Active job went missing: ${name}`)
      this.#forget(uid)
    }
  }

  /** Creates the Job that is due. Returns the time until the next check. */
  async #start(): Promise<number | undefined> {
    const { clock, events } = this.#context
    const cronJob = this.#cronJob
    const { spec, metadata } = cronJob
    if (metadata.deletionTimestamp || spec.suspend) return undefined
    const schedule = this.#schedule()
    if (!schedule) return undefined
    const now = clock.now()
    const due = this.#due(schedule, now)
    if (due === 'never') return undefined
    const time = due.time
    const wait = nextDueIn(cronJob, schedule, now)
    if (time === undefined) return wait
    if (due.tooManyMissed) {
      const note =
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew'
      events.warning(cronJob, 'TooManyMissedTimes', note)
    }
    const { startingDeadlineSeconds: deadline } = spec
    if (deadline !== undefined && time + deadline * 1_000 < now) {
      const note = `Missed scheduled time to start a job: ${rfc1123(time)}`
      events.warning(cronJob, 'MissSchedule', note)
      return wait
    }
    const active = this.#status.active ?? []
    const started = active.some(({ name }) => name === jobName(cronJob, time))
    const { lastScheduleTime } = this.#status
    if (started || (lastScheduleTime && Date.parse(lastScheduleTime) === time)) return wait
    if (spec.concurrencyPolicy === 'Forbid' && active.length > 0) {
      const note = 'Not starting job because prior execution is running and concurrency policy is Forbid'
      events.normal(cronJob, 'JobAlreadyActive', note)
      return wait
    }
    if (spec.concurrencyPolicy === 'Replace') await this.#replace()
    if (!(await this.#create(time))) return undefined
    this.#status = { ...this.#status, lastScheduleTime: timestamp(time) }
    return nextDueIn({ ...cronJob, status: this.#status }, schedule, now)
  }

  #due(schedule: Schedule, now: number): ReturnType<typeof dueTime> | 'never' {
    try {
      return dueTime(this.#cronJob, schedule, now)
    } catch (error) {
      const { schedule: text } = this.#cronJob.spec
      this.#context.events.warning(
        this.#cronJob,
        'InvalidSchedule',
        `invalid schedule: ${text} : ${failureText(error)}`,
      )
      return 'never'
    }
  }

  #schedule(): Schedule | undefined {
    const { events } = this.#context
    const { schedule, timeZone } = this.#cronJob.spec
    try {
      if (timeZone !== undefined) parseSchedule('* * * * *', timeZone)
    } catch {
      const note = `invalid timeZone: ${JSON.stringify(timeZone)}: unknown time zone ${timeZone}`
      events.warning(this.#cronJob, 'UnknownTimeZone', note)
      return undefined
    }
    if (schedule.includes('TZ')) {
      const note = `CRON_TZ or TZ used in schedule ${JSON.stringify(schedule)} is not officially supported, see https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details`
      events.warning(this.#cronJob, 'UnsupportedSchedule', note)
    }
    try {
      return parseSchedule(schedule, timeZone)
    } catch (error) {
      const note = `unparseable schedule: ${JSON.stringify(schedule)} : ${failureText(error)}`
      events.warning(this.#cronJob, 'UnparseableSchedule', note)
      return undefined
    }
  }

  /** Creates the Job for a time, or finds the existing one; false where another object has its name. */
  async #create(time: number): Promise<boolean> {
    const { client, events } = this.#context
    const cronJob = this.#cronJob
    let job: Job
    try {
      job = await client.create(Job, jobOf(cronJob, time))
      events.normal(cronJob, 'SuccessfulCreate', `Created job ${job.metadata.name}`)
    } catch (error) {
      if (isNamespaceTerminating(error)) return false
      if (!isAlreadyExists(error)) {
        events.warning(cronJob, 'FailedCreate', `Error creating job: ${failureText(error)}`)
        throw error
      }
      const { namespace } = cronJob.metadata
      job = await client.live.getOrThrow(Job, { namespace, name: jobName(cronJob, time) })
      if (!hasOwnerReference(cronJob, job, { controller: true })) return false
    }
    const { namespace, name, uid, resourceVersion } = job.metadata
    const reference = { kind: Job.kind, namespace, name, uid, apiVersion: 'batch/v1', resourceVersion }
    const active = (this.#status.active ?? []).filter((one) => one.uid !== uid)
    this.#status = { ...this.#status, active: [...active, reference] }
    return true
  }

  /** Ends the Jobs that still run. */
  async #replace(): Promise<void> {
    const { client } = this.#context
    const { namespace } = this.#cronJob.metadata
    for (const { name = '', uid } of this.#status.active ?? []) {
      const job = await client.get(Job, { namespace, name })
      if (job) await this.#delete(job)
      else this.#forget(uid)
    }
  }

  async #delete(job: Job): Promise<void> {
    const { client, events } = this.#context
    const { name, uid } = job.metadata
    try {
      await client.delete(Job, job.metadata, { propagation: 'Background' })
    } catch (error) {
      events.warning(this.#cronJob, 'FailedDelete', `Deleted job: ${failureText(error)}`)
      throw error
    }
    this.#forget(uid)
    events.normal(this.#cronJob, 'SuccessfulDelete', `Deleted job ${name}`)
  }

  #forget(uid: string | undefined): void {
    const active = (this.#status.active ?? []).filter((one) => one.uid !== uid)
    this.#status = { ...this.#status, active }
  }

  async #writeStatus(): Promise<void> {
    const { active = [], ...rest } = this.#status
    const status = { ...rest, ...(active.length > 0 ? { active } : {}) }
    if (deepEqual(status, this.#cronJob.status)) return
    await this.#context.client.status.update(CronJob, { ...this.#cronJob, status })
  }
}

function isRescheduled(event: ObjectEvent<typeof CronJob>): boolean {
  if (event.type !== 'updated') return false
  const { object, before } = event
  return object.spec.schedule !== before.spec.schedule || object.spec.timeZone !== before.spec.timeZone
}

function rescheduled(
  event: ObjectEvent<typeof CronJob>,
  now: number,
): DelayedRequest<{ namespace: string; name: string }> | undefined {
  if (!isRescheduled(event)) return undefined
  const { metadata, spec } = event.object
  const request = { namespace: metadata.namespace, name: metadata.name }
  try {
    const after = nextDueIn(event.object, parseSchedule(spec.schedule, spec.timeZone), now)
    return after === undefined ? undefined : { request, after }
  } catch {
    // The reconcile reports the error.
    return { request, after: 0 }
  }
}

/** As `Thu, 01 Jan 2026 12:00:00 +0000`. */
function rfc1123(time: number): string {
  return new Date(time).toUTCString().replace('GMT', '+0000')
}
