import type { Clock } from '@homeostat/api'
import type { QueuedKey } from '../queue/index.ts'
import { requestOf, type Cause } from '../reconcile/index.ts'
import type { QueueChanged } from './activity-event.ts'

/** How many requests of a queue are recorded. */
const MOST_REQUESTS = 100

/** The recorded part of a controller's queue. */
export interface QueueSource {
  /** How many keys it has. */
  readonly size: number
  keys(): Iterable<QueuedKey<Cause>>
}

/** The queue as it is now. */
export function queueState(controller: string, queue: QueueSource, clock: Clock): QueueChanged {
  const found = { running: new Earliest(), ready: new Earliest(), delayed: new Earliest() }
  for (const key of queue.keys()) found[key.state].add(key)
  const { running, ready, delayed } = found
  const offset = clock.now() - clock.monotonic()
  const requests = [...running.keys(), ...ready.keys(), ...delayed.keys()]
    .slice(0, MOST_REQUESTS)
    .map(({ key, state, time, causes }) => ({
      request: requestOf(key),
      state,
      time: Math.round(time + offset),
      cause: causes[0],
    }))
  return {
    type: 'queue',
    controller,
    running: running.count,
    ready: ready.count,
    delayed: delayed.count,
    requests,
  }
}

/** The keys with the earliest times, and how many there were. A long queue is never sorted as a whole. */
class Earliest {
  #keys: QueuedKey<Cause>[] = []
  count = 0

  add(key: QueuedKey<Cause>): void {
    this.count++
    if (this.#keys.push(key) >= 4 * MOST_REQUESTS) this.#keys = [...this.keys()]
  }

  keys(): readonly QueuedKey<Cause>[] {
    return this.#keys.toSorted((a, b) => a.time - b.time).slice(0, MOST_REQUESTS)
  }
}
