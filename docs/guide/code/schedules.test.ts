import { OperatorTest } from '@homeostat/cluster/testing'
import { controller, defineKind, parseSchedule, schema as s, timestamp } from 'homeostat'
import { expect, test } from 'vitest'

const Report = defineKind({
  group: 'guide.example.com',
  version: 'v1',
  kind: 'Report',
  spec: s.object({ schedule: s.string(), timeZone: s.string().optional() }),
  status: s.object({ lastRun: s.timestamp().optional() }),
})

// #region schedule
const report = controller('report')
  .for(Report)
  .writes(Report, 'status.apply')
  .reconcile(async (request, { client, clock }) => {
    const report = await client.get(Report, request)
    if (!report) return {}
    const schedule = parseSchedule(report.spec.schedule, report.spec.timeZone)
    const now = clock.now()
    const since = Date.parse(report.status?.lastRun ?? report.metadata.creationTimestamp)
    const missed = schedule.previous(now, since)
    if (missed !== undefined) {
      await client.status.apply(Report, request, { lastRun: timestamp(missed) })
    }
    const next = schedule.next(now)
    return next === undefined ? {} : { requeueAfter: next - now }
  })
// #endregion

test('a schedule is kept, and the times of a downtime are made up for once', async () => {
  await using test = await OperatorTest.start({ kinds: [Report], controllers: [report] })
  const key = { namespace: 'default', name: 'nightly' }
  const lastRun = async () => (await test.client.getOrThrow(Report, key)).status?.lastRun
  // #region scheduled
  await test.client.create(Report, { metadata: key, spec: { schedule: '0 3 * * *' } }) // 1 January, 12:00
  await test.advance('16h')
  expect(await lastRun()).toBe('2026-01-02T03:00:00Z')

  await test.stop()
  await test.advance('72h') // three times pass
  await test.start()
  await test.settle()
  expect(await lastRun()).toBe('2026-01-05T03:00:00Z') // the last one
  // #endregion
  expect(test.writes()).toEqual([
    'patch reports/status default/nightly',
    'patch reports/status default/nightly',
  ])
  await test.advance('24h')
  expect(await lastRun()).toBe('2026-01-06T03:00:00Z')
})
