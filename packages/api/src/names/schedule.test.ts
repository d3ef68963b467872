import { describe, expect, it } from 'vitest'
import { parseSchedule } from './schedule.ts'

/** The next times of a schedule, without seconds. */
function times(text: string, from: string, count = 3, zone?: string): string[] {
  const schedule = parseSchedule(text, zone)
  const found: string[] = []
  let time: number | undefined = Date.parse(from)
  while (found.length < count) {
    time = schedule.next(time)
    if (time === undefined) return [...found, 'never']
    found.push(new Date(time).toISOString().slice(0, 16))
  }
  return found
}
const START = '2026-01-01T12:00:00Z'

describe('a schedule', () => {
  it('is due at the next whole minute that matches, never at the current one', () => {
    expect(times('* * * * *', START)).toEqual(['2026-01-01T12:01', '2026-01-01T12:02', '2026-01-01T12:03'])
    expect(times('* * * * *', '2026-01-01T11:59:59.500Z', 1)).toEqual(['2026-01-01T12:00'])
  })

  it('knows lists, ranges, steps and names', () => {
    expect(times('0,30 9-10 * * *', START)).toEqual([
      '2026-01-02T09:00',
      '2026-01-02T09:30',
      '2026-01-02T10:00',
    ])
    expect(times('*/20 * * * *', START)).toEqual(['2026-01-01T12:20', '2026-01-01T12:40', '2026-01-01T13:00'])
    expect(times('50/5 * * * *', START)).toEqual(['2026-01-01T12:50', '2026-01-01T12:55', '2026-01-01T13:50'])
    expect(times('0 0 * FEB MON-wed', START)).toEqual([
      '2026-02-02T00:00',
      '2026-02-03T00:00',
      '2026-02-04T00:00',
    ])
  })

  it('takes a day of the month or of the week where both are restricted', () => {
    expect(times('0 0 13 * FRI', START)).toEqual(['2026-01-02T00:00', '2026-01-09T00:00', '2026-01-13T00:00'])
    expect(times('0 0 13 * *', START, 2)).toEqual(['2026-01-13T00:00', '2026-02-13T00:00'])
    expect(times('0 0 */2 * FRI', START, 2)).toEqual(['2026-01-02T00:00', '2026-01-03T00:00'])
  })

  it('accepts the macros', () => {
    expect(times('@hourly', START, 1)).toEqual(['2026-01-01T13:00'])
    expect(times('@daily', START, 1)).toEqual(['2026-01-02T00:00'])
    expect(times('@weekly', START, 1)).toEqual(['2026-01-04T00:00'])
    expect(times('@monthly', START, 1)).toEqual(['2026-02-01T00:00'])
    expect(times('@annually', START, 1)).toEqual(['2027-01-01T00:00'])
    expect(times('@every 1h30m', START)).toEqual(['2026-01-01T13:30', '2026-01-01T15:00', '2026-01-01T16:30'])
  })

  it('finds leap days, and returns undefined for a day that never comes', () => {
    expect(times('0 0 29 2 *', START, 1)).toEqual(['2028-02-29T00:00'])
    expect(times('0 0 31 2 *', START, 1)).toEqual(['never'])
  })

  it('uses its time zone', () => {
    expect(times('30 9 * * *', START, 2, 'Asia/Kolkata')).toEqual(['2026-01-02T04:00', '2026-01-03T04:00'])
    // Clocks in Berlin go from 2:00 to 3:00 on 29 March 2026: the time between does not come that day.
    expect(times('30 2 * * *', '2026-03-28T00:00:00Z', 2, 'Europe/Berlin')).toEqual([
      '2026-03-28T01:30',
      '2026-03-30T00:30',
    ])
    // They go back from 3:00 to 2:00 on 25 October: the time between comes twice.
    expect(times('30 2 * * *', '2026-10-25T00:00:00Z', 3, 'Europe/Berlin')).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T01:30',
      '2026-10-26T01:30',
    ])
  })

  it('begins a day with the change of clocks where they change at midnight', () => {
    expect(times('0 * 8 3 *', '2026-03-08T04:30:00Z', 2, 'America/Havana')).toEqual([
      '2026-03-08T05:00',
      '2026-03-08T06:00',
    ])
    expect(times('0 1 * * *', '2026-03-07T12:00:00Z', 1, 'America/Havana')).toEqual(['2026-03-08T05:00'])
  })

  it('was last due at the given time or before, and after the time since which it counts', () => {
    const last = (text: string, time: string, since: string, zone?: string) => {
      const found = parseSchedule(text, zone).previous(Date.parse(time), Date.parse(since))
      return found === undefined ? 'never' : new Date(found).toISOString().slice(0, 16)
    }
    expect(last('0 3 * * *', START, '2025-01-01T00:00:00Z')).toBe('2026-01-01T03:00')
    expect(last('0 12 * * *', START, '2025-01-01T00:00:00Z')).toBe('2026-01-01T12:00')
    expect(last('0 12 * * *', START, START)).toBe('never')
    expect(last('0 12 * * *', '2026-01-01T11:59:59.999Z', '2025-12-31T12:00:00Z')).toBe('never')
    expect(last('0 12 * * *', '2026-01-01T11:59:59.999Z', '2025-12-31T11:59:59Z')).toBe('2025-12-31T12:00')
    expect(last('0 0 29 2 *', START, '2000-01-01T00:00:00Z')).toBe('2024-02-29T00:00')
    expect(last('0 0 31 2 *', START, '1990-01-01T00:00:00Z')).toBe('never')
    // As if they had been counted one by one since then.
    expect(last('@every 1h30m', START, '2026-01-01T08:20:00.700Z')).toBe('2026-01-01T11:20')
    expect(last('@every 1h30m', START, '2026-01-01T10:30:00Z')).toBe('2026-01-01T12:00')
    expect(last('@every 1h30m', START, '2026-01-01T10:30:01Z')).toBe('never')
    // The clocks in Berlin go from 2:00 to 3:00 on 29 March 2026, and back from 3:00 to 2:00 on 25 October.
    expect(last('30 2 * * *', '2026-03-29T12:00:00Z', '2026-01-01T00:00:00Z', 'Europe/Berlin')).toBe(
      '2026-03-28T01:30',
    )
    expect(last('30 2 * * *', '2026-10-25T12:00:00Z', '2026-01-01T00:00:00Z', 'Europe/Berlin')).toBe(
      '2026-10-25T01:30',
    )
    expect(last('30 2 * * *', '2026-10-25T01:00:00Z', '2026-01-01T00:00:00Z', 'Europe/Berlin')).toBe(
      '2026-10-25T00:30',
    )
  })

  it.each([
    ['*/7 1-3 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z'],
    ['*/7 1-3 * * *', 'Europe/Berlin', '2026-10-24T00:00:00Z'],
    ['15 0,23 * * *', 'America/Havana', '2026-03-07T00:00:00Z'],
    ['15 0,23 * * *', 'America/Havana', '2026-10-31T00:00:00Z'],
    // Half an hour.
    ['*/10 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z'],
    ['50 1 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z'],
    ['45 1,2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z'],
    // Back over midnight, and a whole day that was skipped.
    ['30 22-23 * * *', 'America/Sao_Paulo', '2018-02-16T00:00:00Z'],
    ['0 0 * * *', 'Pacific/Apia', '2011-12-29T00:00:00Z'],
    ['5 4 12 * FRI', 'Asia/Kathmandu', '2026-02-11T00:00:00Z'],
  ])('%s in %s finds the same times backwards as forwards', (text, zone, from) => {
    const schedule = parseSchedule(text, zone)
    const [start, end] = [Date.parse(from), Date.parse(from) + 4 * 86_400_000]
    const forwards: number[] = []
    for (let time = schedule.next(start); time !== undefined && time <= end; time = schedule.next(time))
      forwards.push(time)
    const backwards: number[] = []
    for (
      let time = schedule.previous(end, start);
      time !== undefined;
      time = schedule.previous(time - 1, start)
    )
      backwards.unshift(time)
    expect(backwards).toEqual(forwards)
    expect(forwards.length).toBeGreaterThan(1)
  })

  it('reports its error', () => {
    const wrong = (text: string, zone?: string) => () => parseSchedule(text, zone)
    expect(wrong('* * * *')).toThrow('expected exactly 5 fields, found 4: [* * * *]')
    expect(wrong('60 * * * *')).toThrow('end of range (60) above maximum (59): 60')
    expect(wrong('* * 0 * *')).toThrow('beginning of range (0) below minimum (1): 0')
    expect(wrong('5-3 * * * *')).toThrow('beginning of range (5) beyond end of range (3): 5-3')
    expect(wrong('*/0 * * * *')).toThrow('step of range should be a positive number: */0')
    expect(wrong('x * * * *')).toThrow('failed to parse int from x')
    expect(wrong('@sometimes')).toThrow('unrecognized descriptor: @sometimes')
    expect(wrong('@every soon')).toThrow('failed to parse duration @every soon')
    expect(wrong('* * * * *', 'Mars/Olympus')).toThrow('unknown time zone Mars/Olympus')
  })
})
