import { SimulatedClock, type Pausable, type Timer, type Work } from '@homeostat/api'
import { CronJob, Job } from '@homeostat/api/kinds'
import { expect, onTestFinished, test, vi } from 'vitest'
import { Cluster } from './cluster.ts'

/** Counts the timers that fire and the pieces of work that begin. */
class CountingClock extends SimulatedClock {
  fired = 0
  works = 0

  override schedule(delay: number, callback: () => void): Timer {
    return super.schedule(delay, () => {
      this.fired++
      callback()
    })
  }

  override busy(what: string, waiting?: Pausable): Work {
    this.works++
    return super.busy(what, waiting)
  }
}

test('a simulated day without work costs some timers a minute, and hardly a request', async () => {
  const clock = new CountingClock()
  await using cluster = await Cluster.start({ clock })
  await clock.settle()
  const { fired, works } = clock
  const writes = cluster.server.registry.store.revision
  await clock.advance('24h')
  expect(cluster.server.registry.store.revision).toBe(writes)
  // One timer for the bookmarks of all watches and one that looks for reconciles that do not end, each minute.
  expect(clock.fired - fired).toBeLessThan(2 * 24 * 60 + 500)
  expect(clock.works - works).toBeLessThan(100)
})

test('a simulated Job waits for no file and no thread for long', async () => {
  const clock = new SimulatedClock()
  await using cluster = await Cluster.start({ clock, images: { job: { module: async () => 0 } } })
  const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'job' }] } }
  await cluster.client.create(CronJob, {
    metadata: { namespace: 'default', name: 'tick' },
    spec: { schedule: '*/10 * * * *', jobTemplate: { spec: { template } } },
  })
  await clock.advance('1h')
  const turns = vi.spyOn(globalThis, 'setImmediate')
  onTestFinished(() => turns.mockRestore())
  await clock.advance('2h')
  const jobs = await cluster.client.list(Job, { namespace: 'default' })
  expect(jobs.map(({ status }) => status?.succeeded)).toEqual([1, 1, 1])
  // 12 Jobs, with 27 timers each and a token to sign.
  expect(turns.mock.calls.length).toBeLessThan(12 * 150)
})

test('a simulated Job costs the cluster few requests besides its writes', async () => {
  const requests: string[] = []
  class RecordingClock extends SimulatedClock {
    override busy(what: string, waiting?: Pausable): Work {
      requests.push(what)
      return super.busy(what, waiting)
    }
  }
  const clock = new RecordingClock()
  await using cluster = await Cluster.start({ clock, images: { job: { module: async () => 0 } } })
  const template = { spec: { restartPolicy: 'Never' as const, containers: [{ name: 'main', image: 'job' }] } }
  await cluster.client.create(CronJob, {
    metadata: { namespace: 'default', name: 'tick' },
    spec: { schedule: '*/10 * * * *', jobTemplate: { spec: { template } } },
  })
  await clock.advance('1h')
  requests.length = 0
  await clock.advance('2h')
  const perJob = (start: string): number => requests.filter((what) => what.startsWith(start)).length / 12
  // The garbage collector reads an owned object when its owner is gone, not when both have just been made.
  expect(perJob('GET /apis/batch/v1/namespaces/default/jobs/')).toBe(0)
  // A new token for the Pod changes nothing of its account.
  expect(perJob('POST /api/v1/namespaces/default/serviceaccounts/default/token')).toBeGreaterThan(0)
  expect(perJob('GET /api/v1/namespaces/default/serviceaccounts/')).toBe(0)
  expect(perJob('a mapping from an event')).toBeLessThan(35)
})
