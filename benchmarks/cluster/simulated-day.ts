import { SimulatedClock } from '@homeostat/api'
import { CronJob } from '@homeostat/api/kinds'
import { Cluster } from '@homeostat/cluster'

/** Lets a day pass on a simulated cluster in this process, with a CronJob of this schedule if any; gives the milliseconds. */
export async function simulatedDay(schedule: string | undefined): Promise<number> {
  const clock = new SimulatedClock()
  await using cluster = await Cluster.start({ clock, images: { job: { module: async () => 0 } } })
  if (schedule !== undefined) {
    const template = {
      spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'job' }] },
    }
    await cluster.client.create(CronJob, {
      metadata: { namespace: 'default', name: 'tick' },
      spec: { schedule, jobTemplate: { spec: { template } } },
    })
  }
  await clock.settle()
  const started = performance.now()
  await clock.advance('24h')
  return performance.now() - started
}
