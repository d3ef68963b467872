import type { DeepReadonly } from '@homeostat/api'
import type { BatchV1, CronJob, Job } from '@homeostat/api/kinds'
import { jobEnd } from '../job/job-conditions.ts'

type Status = DeepReadonly<BatchV1.CronJobStatus>

/** The changes of a CronJob's Jobs since its status was written. */
export interface ActiveJobs {
  readonly status: Status
  /** Jobs of the status that are over now. */
  readonly completed: readonly Job[]
  /** Jobs that run and are not in the status. */
  readonly unexpected: readonly Job[]
  /** Entries of the status without an existing Job. */
  readonly missing: NonNullable<Status['active']>
}

/** Compares the status of a CronJob with the Jobs that it controls. */
export function compareActive({ status }: CronJob, jobs: readonly Job[]): ActiveJobs {
  const active = status.active ?? []
  const listed = new Set(active.map(({ uid }) => uid))
  const completed = jobs.filter((job) => jobEnd(job) && listed.has(job.metadata.uid))
  const over = new Set(completed.map(({ metadata }) => metadata.uid as string | undefined))
  const uids = new Set(jobs.map(({ metadata }) => metadata.uid as string | undefined))
  const times = jobs
    .filter((job) => jobEnd(job) === 'Complete')
    .flatMap((job) => job.status.completionTime ?? [])
  const last = [...times, ...(status.lastSuccessfulTime ? [status.lastSuccessfulTime] : [])]
    .sort((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1)
  return {
    status: {
      ...status,
      active: active.filter(({ uid }) => !over.has(uid)),
      ...(last === undefined ? {} : { lastSuccessfulTime: last }),
    },
    completed,
    unexpected: jobs.filter((job) => !jobEnd(job) && !listed.has(job.metadata.uid)),
    missing: active.filter(({ uid }) => !uids.has(uid)),
  }
}
