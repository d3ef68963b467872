import { HomeostatError, type ApiRequest, type DriveOptions, type SimulatedClock } from '@homeostat/api'
import type { WriteRecord } from '../http/index.ts'
import { describeWrite } from './describe-write.ts'

/** More writes of one object than this at one simulated time count as endless. */
const MOST_WRITES = 1000
/** The same for reads of one path: many objects may read the same one. */
const MOST_READS = 5000

/**
 * Counts how often each object is written, and each path read, while simulated time stands still. When that does not
 * stop, it ends the wait for the clock: a test then fails with the repeated request, instead of with the timeout of
 * its runner.
 */
export class RepeatedRequests {
  readonly #clock: SimulatedClock
  readonly #counts = new Map<string, number>()
  readonly #waiting = new Set<AbortController>()
  #moment = 0

  constructor(clock: SimulatedClock) {
    this.#clock = clock
  }

  /** A write that was answered. */
  addWrite(write: WriteRecord): void {
    if (!write.name) return
    const object = `${write.group}/${write.resource}/${write.namespace ?? ''}/${write.name}`
    this.#count(object, MOST_WRITES, () => describeWrite(write))
  }

  /** A request that is about to be carried out: only reads count here. */
  addRequest({ method, path, query }: ApiRequest): void {
    if (method === 'GET' && !query.get('watch'))
      this.#count(`GET ${path}?${query.toString()}`, MOST_READS, () => `GET ${path}`)
  }

  /** Drives the clock, and rejects with code `ENDLESS_REQUESTS` when requests do not end meanwhile. */
  async limit(drive: (options: DriveOptions) => Promise<void>, options: DriveOptions = {}): Promise<void> {
    const abort = new AbortController()
    const forward = (): void => abort.abort(options.signal?.reason)
    if (options.signal?.aborted) forward()
    options.signal?.addEventListener('abort', forward, { once: true })
    this.#counts.clear()
    this.#waiting.add(abort)
    try {
      await drive({ signal: abort.signal })
    } finally {
      this.#waiting.delete(abort)
      options.signal?.removeEventListener('abort', forward)
    }
  }

  #count(what: string, most: number, describe: () => string): void {
    if (this.#waiting.size === 0) return
    const now = this.#clock.monotonic()
    if (now !== this.#moment) this.#counts.clear()
    this.#moment = now
    const count = (this.#counts.get(what) ?? 0) + 1
    this.#counts.set(what, count)
    if (count >= most) this.#giveUp(describe(), count)
  }

  #giveUp(what: string, count: number): void {
    const error = new HomeostatError(
      'ENDLESS_REQUESTS',
      `the requests do not end: the same object was read or written ${count} times while the clock stood still, the last time by: ${what}. ` +
        'Either a loop sends requests without end, or two controllers overwrite each other: wait for an event or use requeueAfter instead of reading again, and write only what differs from what was read.',
    )
    for (const abort of this.#waiting) abort.abort(error)
  }
}
