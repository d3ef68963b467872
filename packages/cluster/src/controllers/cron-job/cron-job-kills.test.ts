import { CronJob, Job } from '@homeostat/api/kinds'
import { expect, it } from 'vitest'
import { killAtEachCall } from '../../testing/index.ts'
import { cronJobController } from './cron-job-controller.ts'

const key = { namespace: 'default', name: 'tick' }

it(
  'a CronJob makes one Job for each time wherever its controller is killed',
  { timeout: 120_000 },
  async () => {
    const report = await killAtEachCall({ rights: 'all', controllers: [cronJobController] }, async (test) => {
      await test.client.create(CronJob, {
        metadata: key,
        spec: {
          schedule: '* * * * *',
          concurrencyPolicy: 'Replace',
          jobTemplate: {
            spec: {
              template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'busybox' }] } },
            },
          },
        },
      })
      await test.advance('121s')
      const { status } = await test.client.getOrThrow(CronJob, key)
      const jobs = await test.client.list(Job)
      return {
        last: status.lastScheduleTime,
        active: status.active?.map(({ name }) => name),
        jobs: jobs.map(({ metadata }) => metadata.name),
      }
    })
    const name = `tick-${Date.parse('2026-01-01T12:02:00Z') / 60_000}`
    expect(report.state).toEqual({ last: '2026-01-01T12:02:00Z', active: [name], jobs: [name] })
    expect(report.kills).toBeGreaterThan(10)
  },
)
