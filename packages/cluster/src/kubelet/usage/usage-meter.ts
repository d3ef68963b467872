import type { Clock } from '@homeostat/api'
import type { UsageSample } from './machine-sample.ts'

/** Usage over a window of time that ends now. */
export interface MeasuredUsage {
  /** In cores. */
  readonly cpu: number
  /** In bytes. */
  readonly memory: number
  /** In milliseconds since 1970. */
  readonly time: number
  /** In milliseconds. */
  readonly window: number
}

interface TimedSample extends UsageSample {
  readonly time: number
}

/** The shortest window for a process that has run as long, in milliseconds. */
const WINDOW = 15_000
/** The shortest meaningful window, in milliseconds. */
const SHORTEST = 1_000

/**
 * Measures usage between two samples. It takes a sample only on request, so that an idle cluster measures nothing: the window
 * reaches back to an earlier request, or to the start of what is measured.
 */
export class UsageMeter<T extends object> {
  readonly #clock: Clock
  readonly #samples = new WeakMap<T, { older: TimedSample; newer: TimedSample }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** The usage of `thing`; undefined while the window is too short. `start` is its usage when it began. */
  measure(thing: T, sample: UsageSample, start: TimedSample): MeasuredUsage | undefined {
    const time = this.#clock.now()
    const current = { ...sample, time }
    const { older, newer } = this.#samples.get(thing) ?? { older: start, newer: start }
    const isOld = time - newer.time >= WINDOW
    const base = isOld ? newer : older
    this.#samples.set(thing, { older: base, newer: isOld ? current : newer })
    const window = time - base.time
    if (window < SHORTEST) return undefined
    return { cpu: Math.max(0, sample.cpu - base.cpu) / window, memory: sample.memory, time, window }
  }
}
