import type { CreateOf } from '@homeostat/api'
import { CronJob, Job, Pod, type BatchV1 } from '@homeostat/api/kinds'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ControllerBench } from '../../../test/controller-bench.ts'
import { jobController } from '../job/job-controller.ts'
import { jobPodTracking } from '../job/job-pod-tracking.ts'
import { cronJobController } from './cron-job-controller.ts'

const namespace = 'default'
const key = { namespace, name: 'tick' }

let bench: ControllerBench

beforeEach(async () => {
  bench = await ControllerBench.start(() => [cronJobController, jobController(), jobPodTracking])
})
afterEach(() => bench[Symbol.asyncDispose]())

function cronJob(spec: Partial<BatchV1.CronJobSpec> = {}): CreateOf<typeof CronJob> {
  return {
    metadata: key,
    spec: {
      schedule: '0 * * * *',
      jobTemplate: {
        metadata: { labels: { app: 'tick' }, annotations: { note: 'x' } },
        spec: {
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } },
        },
      },
      ...spec,
    },
  }
}
async function create(spec: Partial<BatchV1.CronJobSpec> = {}): Promise<void> {
  await bench.client.create(CronJob, cronJob(spec))
  await bench.settle()
}
const current = (): Promise<CronJob> => bench.client.getOrThrow(CronJob, key)
const jobs = async (): Promise<string[]> =>
  (await bench.client.list(Job, { namespace })).map(({ metadata }) => metadata.name)
async function endPods(phase: 'Succeeded' | 'Failed' = 'Succeeded'): Promise<void> {
  for (const { metadata, status } of await bench.client.list(Pod, { namespace })) {
    if (!['Succeeded', 'Failed'].includes(status.phase ?? '')) await bench.setPod(metadata, { phase })
  }
  await bench.advance('2s')
}
/** The name of the Job for a time on the first day. */
const nameAt = (time: string): string => `tick-${Date.parse(`2026-01-01T${time}:00Z`) / 60_000}`

describe('a CronJob', () => {
  it('creates a Job for each time, with an event', async () => {
    await create()
    expect(await jobs()).toEqual([])
    await bench.advance('61m')
    const [name] = await jobs()
    expect(name).toBe(nameAt('13:00'))
    const job = await bench.client.getOrThrow(Job, { namespace, name: nameAt('13:00') })
    expect(job.metadata).toMatchObject({
      labels: { app: 'tick' },
      annotations: { note: 'x', 'batch.kubernetes.io/cronjob-scheduled-timestamp': '2026-01-01T13:00:00Z' },
      ownerReferences: [{ kind: 'CronJob', name: 'tick', controller: true, blockOwnerDeletion: true }],
    })
    const { status } = await current()
    expect(status).toMatchObject({
      lastScheduleTime: '2026-01-01T13:00:00Z',
      active: [{ apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid: job.metadata.uid }],
    })
    await endPods()
    expect((await current()).status.active).toBeUndefined()
    expect((await current()).status.lastSuccessfulTime).toBe('2026-01-01T13:01:01Z')
    expect(await bench.events('tick')).toEqual([
      `SuccessfulCreate: Created job ${name}`,
      `SawCompletedJob: Saw completed job: ${name}, condition: Complete`,
    ])
  })

  it('creates a Job in each hour of a day, and keeps the last three', async () => {
    await create()
    for (let hour = 0; hour < 24; hour++) {
      await bench.advance('1h')
      await endPods()
    }
    const made = bench.environment.writes.filter(
      ({ verb, resource, code }) => verb === 'create' && resource === 'jobs' && code === 201,
    )
    expect(made).toHaveLength(24)
    expect(await jobs()).toHaveLength(3)
    expect((await current()).status.lastScheduleTime).toBe('2026-01-02T12:00:00Z')
  })

  it('uses its time zone for the schedule and in annotations', async () => {
    await create({ schedule: '30 19 * * *', timeZone: 'Asia/Kolkata' })
    await bench.advance('121m')
    const [name] = await jobs()
    expect(name).toBe(nameAt('14:00'))
    const job = await bench.client.getOrThrow(Job, { namespace, name: nameAt('14:00') })
    expect(job.metadata.annotations?.['batch.kubernetes.io/cronjob-scheduled-timestamp']).toBe(
      '2026-01-01T19:30:00+05:30',
    )
  })

  it('runs several Jobs at a time with the policy Allow', async () => {
    await create({ concurrencyPolicy: 'Allow' })
    await bench.advance('3h')
    await bench.advance('1m')
    expect(await jobs()).toEqual([nameAt('13:00'), nameAt('14:00'), nameAt('15:00')])
    expect((await current()).status.active).toHaveLength(3)
  })

  it('waits for the running Job with the policy Forbid, and then makes up for the last missed time', async () => {
    await create({ concurrencyPolicy: 'Forbid' })
    await bench.advance('3h')
    await bench.advance('1m')
    expect(await jobs()).toEqual([nameAt('13:00')])
    expect(await bench.events('tick')).toContain(
      'JobAlreadyActive: Not starting job because prior execution is running and concurrency policy is Forbid',
    )
    await endPods()
    expect(await jobs()).toEqual([nameAt('13:00'), nameAt('15:00')])
  })

  it('ends the running Job with the policy Replace', async () => {
    await create({ concurrencyPolicy: 'Replace' })
    await bench.advance('2h')
    await bench.advance('1m')
    expect(await jobs()).toEqual([nameAt('14:00')])
    expect((await current()).status.active).toHaveLength(1)
    expect(await bench.events('tick')).toContain(`SuccessfulDelete: Deleted job ${nameAt('13:00')}`)
  })

  it('creates no Job while it is suspended, and afterwards only those that the deadline allows', async () => {
    await create({ suspend: true, startingDeadlineSeconds: 600 })
    await bench.advance('150m')
    expect(await jobs()).toEqual([])
    await bench.client.patch(CronJob, key, { type: 'merge', body: { spec: { suspend: false } } })
    await bench.settle()
    expect(await jobs()).toEqual([])
    await bench.advance('31m')
    expect(await jobs()).toEqual([nameAt('15:00')])
  })

  it('warns when it missed more than a hundred times, and starts the last', async () => {
    await create({ suspend: true, schedule: '* * * * *' })
    await bench.advance('3h')
    await bench.client.patch(CronJob, key, { type: 'merge', body: { spec: { suspend: false } } })
    await bench.settle()
    expect(await jobs()).toEqual([nameAt('15:00')])
    expect(await bench.events('tick')).toContain(
      'TooManyMissedTimes: too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
    )
  })

  it('does not make up for times of a schedule that it did not have then', async () => {
    await create({ schedule: '0 0 1 1 *' })
    await bench.advance('90m')
    await bench.client.patch(CronJob, key, { type: 'merge', body: { spec: { schedule: '0 * * * *' } } })
    await bench.settle()
    expect(await jobs()).toEqual([])
    await bench.advance('31m')
    expect(await jobs()).toEqual([nameAt('14:00')])
  })

  it('keeps as many failed and succeeded Jobs as its limits say', async () => {
    await create({ failedJobsHistoryLimit: 0, successfulJobsHistoryLimit: 1 })
    await bench.advance('61m')
    await endPods()
    await bench.advance('60m')
    await endPods()
    expect(await jobs()).toEqual([nameAt('14:00')])
  })

  it('takes a deleted Job off its list', async () => {
    await create()
    await bench.advance('61m')
    await bench.client.delete(Job, { namespace, name: nameAt('13:00') }, { propagation: 'Background' })
    await bench.advance('1s')
    expect((await current()).status.active).toBeUndefined()
    expect(await bench.events('tick')).toContain(`MissingJob: Active job went missing: ${nameAt('13:00')}`)
  })
})
