import { parseSchedule } from '@homeostat/api'
import type { CronJob } from '@homeostat/api/kinds'
import { describe, expect, it } from 'vitest'
import { dueTime, nextDueIn } from './due-times.ts'

function cronJob(rest: { last?: string; deadline?: number } = {}): CronJob {
  return {
    metadata: { name: 'c', creationTimestamp: '2026-01-01T11:00:30Z' },
    spec: { startingDeadlineSeconds: rest.deadline },
    status: { lastScheduleTime: rest.last },
  } as unknown as CronJob
}
const hourly = parseSchedule('0 * * * *')
const at = (text: string): number => Date.parse(text)
const due = (of: CronJob, now: string): string => {
  const { time, tooManyMissed } = dueTime(of, hourly, at(now))
  return `${time === undefined ? 'none' : new Date(time).toISOString().slice(5, 16)}${tooManyMissed ? ' too many' : ''}`
}

describe('what is due', () => {
  it('is nothing before the first time, then that time, then only the last of several', () => {
    expect(due(cronJob(), '2026-01-01T11:59:59Z')).toBe('none')
    expect(due(cronJob(), '2026-01-01T12:00:00Z')).toBe('01-01T12:00')
    expect(due(cronJob(), '2026-01-01T15:20:00Z')).toBe('01-01T15:00')
  })

  it('counts from the last time that was done', () => {
    expect(due(cronJob({ last: '2026-01-01T15:00:00Z' }), '2026-01-01T15:20:00Z')).toBe('none')
  })

  it('does not reach back past the starting deadline', () => {
    expect(due(cronJob({ deadline: 600 }), '2026-01-01T15:20:00Z')).toBe('none')
    expect(due(cronJob({ deadline: 1800 }), '2026-01-01T15:20:00Z')).toBe('01-01T15:00')
  })

  it('warns of more than a hundred, unless a deadline keeps them few', () => {
    expect(due(cronJob(), '2026-01-05T15:20:00Z')).toBe('01-05T15:00')
    expect(due(cronJob(), '2026-01-05T16:20:00Z')).toBe('01-05T16:00 too many')
    expect(due(cronJob({ deadline: 7200 }), '2026-01-05T16:20:00Z')).toBe('01-05T16:00')
  })

  it('finds the last of times that are not regular', () => {
    const office = parseSchedule('30 6-16/4 * * 1-5')
    const { time } = dueTime(cronJob(), office, at('2026-01-12T11:00:00Z'))
    expect(new Date(time ?? 0).toISOString()).toBe('2026-01-12T10:30:00.000Z')
  })

  it('fails for a schedule that is never due', () => {
    expect(() => dueTime(cronJob(), parseSchedule('0 0 31 2 *'), at('2026-01-02T00:00:00Z'))).toThrow(
      'time difference between two schedules is less than 1 second',
    )
  })
})

describe('when to look again', () => {
  it('is a little after the next time', () => {
    expect(nextDueIn(cronJob(), hourly, at('2026-01-01T11:59:00Z'))).toBe(60_100)
    expect(nextDueIn(cronJob({ last: '2026-01-01T12:00:00Z' }), hourly, at('2026-01-01T12:00:00Z'))).toBe(
      3_600_100,
    )
  })
})
