import { HomeostatError, type DriveOptions, type SimulatedClock } from '@homeostat/api'
import type { WriteRecord } from '../http/handler.ts'
import { describeWrite } from './describe-write.ts'

/** So many writes of one object without time passing do not end. */
const MOST = 1000

/**
 * Counts how often each object is written while simulated time stands still, and ends the waiting for it when that
 * does not stop: a test then fails with what is written, instead of with the timeout of its runner.
 */
export class RepeatedWrites {
  readonly #clock: SimulatedClock
  readonly #counts = new Map<string, number>()
  readonly #waiting = new Set<AbortController>()
  #moment = 0

  constructor(clock: SimulatedClock) {
    this.#clock = clock
  }

  add(write: WriteRecord): void {
    if (this.#waiting.size === 0 || !write.name) return
    const now = this.#clock.monotonic()
    if (now !== this.#moment) this.#counts.clear()
    this.#moment = now
    const object = `${write.group}/${write.resource}/${write.namespace ?? ''}/${write.name}`
    const count = (this.#counts.get(object) ?? 0) + 1
    this.#counts.set(object, count)
    if (count >= MOST) this.#giveUp(write, count)
  }

  /** Drives the clock, and rejects with code `ENDLESS_WRITES` when writes do not end meanwhile. */
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

  #giveUp(write: WriteRecord, count: number): void {
    const error = new HomeostatError(
      'ENDLESS_WRITES',
      `the writes do not end: one object was written ${count} times without time passing, the last time by: ${describeWrite(write)}. ` +
        'Something writes without end, or two controllers undo what the other wrote: write only what differs from what was read.',
    )
    for (const abort of this.#waiting) abort.abort(error)
  }
}
