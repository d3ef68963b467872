import type { BatchV1, CronJob, Job } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { compareActive } from './active-jobs.ts'
import { planHistory } from './history.ts'

function job(name: string, end?: 'Complete' | 'Failed', times: { start?: string; end?: string } = {}): Job {
  return {
    metadata: { name, uid: name },
    status: {
      startTime: times.start,
      completionTime: times.end,
      conditions: end ? [{ type: end, status: 'True' }] : [],
    },
  } as unknown as Job
}
function cronJob(status: BatchV1.CronJobStatus, spec: object = {}): CronJob {
  return { metadata: { name: 'c' }, spec, status } as unknown as CronJob
}
const names = (jobs: readonly Job[]): string[] => jobs.map(({ metadata }) => metadata.name)

describe('the Jobs of a CronJob', () => {
  it('leave its list when they have finished, and differ from unknown Jobs', () => {
    const active = [{ uid: 'runs' }, { uid: 'done' }, { uid: 'lost' }]
    const found = compareActive(cronJob({ active }), [job('runs'), job('done', 'Failed'), job('strange')])
    expect(found.status.active).toEqual([{ uid: 'runs' }, { uid: 'lost' }])
    expect([names(found.completed), names(found.unexpected), found.missing]).toEqual([
      ['done'],
      ['strange'],
      [{ uid: 'lost' }],
    ])
  })

  it('say when one last succeeded', () => {
    const jobs = [
      job('a', 'Complete', { end: '2026-01-01T12:00:00Z' }),
      job('b', 'Complete', { end: '2026-01-01T11:00:00Z' }),
      job('c', 'Failed', { end: '2026-01-01T13:00:00Z' }),
    ]
    const last = (status: BatchV1.CronJobStatus, of = jobs): string | undefined =>
      compareActive(cronJob(status), of).status.lastSuccessfulTime
    expect(last({})).toBe('2026-01-01T12:00:00Z')
    expect(last({ lastSuccessfulTime: '2026-01-01T14:00:00Z' })).toBe('2026-01-01T14:00:00Z')
    expect(last({}, [])).toBeUndefined()
  })

  it('that have ended are kept up to a limit; the oldest are deleted first', () => {
    const jobs = [
      job('new', 'Complete', { start: '2026-01-01T12:00:00Z' }),
      job('old', 'Complete', { start: '2026-01-01T10:00:00Z' }),
      job('never', 'Complete'),
      job('bad', 'Failed', { start: '2026-01-01T09:00:00Z' }),
      job('runs'),
    ]
    const spec = { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 }
    expect(names(planHistory(cronJob({}, spec), jobs))).toEqual(['old', 'new'])
    expect(names(planHistory(cronJob({}, { failedJobsHistoryLimit: 0 }), jobs))).toEqual(['bad'])
    expect(planHistory(cronJob({}), jobs)).toEqual([])
  })
})
