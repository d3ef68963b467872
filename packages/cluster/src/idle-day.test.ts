import { SimulatedClock, type Pausable, type Timer, type Work } from '@homeostat/api'
import { expect, test } from 'vitest'
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
