import { OperatorTest } from '@homeostat/cluster/testing'
import { timestamp } from 'homeostat'
import { Event, Pod } from 'homeostat/kinds'
import { describe, expect, it } from 'vitest'
import { At } from './at.ts'
import operator from './operator.ts'
import { parseSchedule } from './schedule.ts'

const key = { namespace: 'default', name: 'hello' }
const podKey = { namespace: 'default', name: 'hello-pod' }
const MONTH = 31 * 24 * 3_600_000

describe('At', { timeout: 60_000 }, () => {
  it.each([
    ['five minutes', 5 * 60_000],
    ['one month', MONTH],
  ])('lives its whole life, %s ahead, and does nothing besides', async (_, delay) => {
    await using test = await start()
    await create(test, test.clock.now() + delay)

    await test.settle()
    expect(await phase(test)).toBe('PENDING')
    expect(test.writes()).toEqual(['patch ats/status default/hello'])

    await test.advance(delay - 1)
    expect(await phase(test)).toBe('PENDING')
    expect(await test.client.get(Pod, podKey)).toBeUndefined()
    expect(test.writes()).toEqual([])

    await test.advance(1)
    expect(await phase(test)).toBe('RUNNING')
    expect(test.writes()).toEqual(['patch ats/status default/hello', 'create pods default'])
    const pod = await test.client.getOrThrow(Pod, podKey)
    expect(pod.spec.containers[0]).toMatchObject({ image: 'busybox', command: ['sh', '-c', 'echo YAY'] })
    expect(pod.metadata.ownerReferences).toMatchObject([{ kind: 'At', name: 'hello', controller: true }])

    await podBecomes(test, 'Running')
    expect(await phase(test)).toBe('RUNNING')
    expect(test.writes()).toEqual([])

    await podBecomes(test, 'Succeeded')
    expect(await phase(test)).toBe('DONE')
    expect(test.writes()).toEqual(['patch ats/status default/hello'])

    await test.client.patch(At, key, { type: 'merge', body: { metadata: { labels: { touched: 'yes' } } } })
    await test.advance('24h')
    expect(test.writes()).toEqual([])
  })

  it('is done as well when its command fails', async () => {
    await using test = await start()
    await create(test, test.clock.now() - 1)
    await test.settle()
    await podBecomes(test, 'Failed')
    expect(await phase(test)).toBe('DONE')
  })

  it('with a schedule that is not a time is tried again with back-off, and an event says why', async () => {
    await using test = await start()
    await create(test, 'tomorrow')
    await test.settle()
    const problem = 'spec.schedule "tomorrow" is not an RFC 3339 time in UTC, such as 2026-07-01T12:00:00Z'
    expect(test.reports.map((report) => [report.result, report.next])).toEqual([['error', 1_000]])
    await test.advance('7s')
    expect(test.reports.map((report) => report.next)).toEqual([1_000, 2_000, 4_000, 8_000])
    const [event] = await test.client.list(Event, { namespace: 'default' })
    expect(event).toMatchObject({
      type: 'Warning',
      reason: 'InvalidSchedule',
      note: problem,
      regarding: { kind: 'At', name: 'hello' },
    })

    const healed = timestamp(test.clock.now() + 60_000)
    await test.client.patch(At, key, { type: 'merge', body: { spec: { schedule: healed } } })
    await test.settle()
    expect(await phase(test)).toBe('PENDING')
  })

  it('reads only times that exist, in UTC', () => {
    expect(parseSchedule('2026-07-01T12:00:00Z')).toBe(Date.UTC(2026, 6, 1, 12))
    expect(parseSchedule('2026-07-01T12:00:00.5Z')).toBe(Date.UTC(2026, 6, 1, 12, 0, 0, 500))
    for (const wrong of [
      '',
      'soon',
      '2026-07-01',
      '2026-07-01T12:00:00',
      '2026-07-01T12:00:00+02:00',
      '2026-02-30T12:00:00Z',
      '2026-07-01T25:00:00Z',
    ]) {
      expect(parseSchedule(wrong), wrong).toBeUndefined()
    }
  })
})

function start() {
  return OperatorTest.start(operator)
}

function create(test: OperatorTest, schedule: number | string) {
  return test.client.create(At, {
    metadata: key,
    spec: {
      schedule: typeof schedule === 'number' ? timestamp(schedule) : schedule,
      command: 'echo YAY',
    },
  })
}

async function phase(test: OperatorTest) {
  return (await test.client.getOrThrow(At, key)).status?.phase
}

/** Writes what a node would. */
async function podBecomes(test: OperatorTest, phase: Pod['status']['phase']): Promise<void> {
  await test.client.status.patch(Pod, podKey, { type: 'merge', body: { status: { phase } } })
  await test.settle()
}
