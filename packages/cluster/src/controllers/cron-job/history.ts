import type { CronJob, Job } from '@homeostat/api/kinds'
import { jobEnd } from '../job/job-conditions.ts'

/** The finished Jobs beyond the CronJob's history limits, the oldest first. */
export function planHistory({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const surplus = (end: 'Complete' | 'Failed', limit: number | undefined): readonly Job[] => {
    if (limit === undefined) return []
    const over = jobs.filter((job) => jobEnd(job) === end).sort(byStart)
    return over.slice(0, Math.max(0, over.length - limit))
  }
  return [
    ...surplus('Complete', spec.successfulJobsHistoryLimit),
    ...surplus('Failed', spec.failedJobsHistoryLimit),
  ]
}

function byStart(a: Job, b: Job): number {
  const start = ({ status }: Job): number =>
    status.startTime === undefined ? Infinity : Date.parse(status.startTime)
  const [first, second] = [start(a), start(b)]
  if (first !== second) return first < second ? -1 : 1
  return a.metadata.name < b.metadata.name ? -1 : 1
}
