import { checkOptionNames, HomeostatError, optionNames } from '../errors/index.ts'
import { type Duration, milliseconds } from '../names/index.ts'
import { checkedDelay } from './checked-delay.ts'
import type { Clock, Pausable, Timer, Work } from './clock.ts'
import { ActiveWork, SimulatedWork } from './simulated-work.ts'
import { sleepOn } from './sleep.ts'
import { TimerHeap } from './timer-heap.ts'
import { turnOfTheEventLoop } from './turn-of-the-event-loop.ts'

/** How often work is checked before it may count as stuck, however much real time that needs. */
const TURNS_BEFORE_STUCK = 200
/** How many turns of the event loop are given one after the other, for chains in memory. Work that takes longer waits for a thread, a file or a socket. */
const TURNS_WITHOUT_PAUSE = 50
/** How long the event loop may pause for such work until it is checked again, in milliseconds. */
const PAUSE = 1

/** Options of `settle` and `advance`. */
export interface DriveOptions {
  /** Ends the call: it rejects with the signal's reason, and time does not move further. */
  signal?: AbortSignal | undefined
}

export interface SimulatedClockOptions {
  /** The wall time to start at, in RFC 3339. Default: noon of 1 January 2026 (UTC). */
  start?: string | undefined
  /** The seed of the random numbers. Default: 1. */
  seed?: number | undefined
  /** How much real time one piece of work under way may take before it counts as stuck. Default: 20 s. */
  stuckAfter?: Duration | undefined
}

const CLOCK_OPTIONS = optionNames<SimulatedClockOptions>('SimulatedClock', {
  start: true,
  seed: true,
  stuckAfter: true,
})

/**
 * Time that moves only when a test moves it. Timers fire in the order of their time, then of their creation. After
 * each of them all work that it started runs to its end before time moves on. Time is in whole milliseconds: a
 * timer that is due between two of them fires at the later one. Random numbers are a sequence that the seed
 * determines.
 */
export class SimulatedClock implements Clock {
  #now: number
  #monotonic = 0
  #seed: number
  readonly #timers = new TimerHeap()
  readonly #work = new ActiveWork()

  readonly #stuckAfter: number

  constructor(options: SimulatedClockOptions = {}) {
    checkOptionNames(options, CLOCK_OPTIONS)
    this.#now = wallTimeOf(options.start ?? '2026-01-01T12:00:00Z')
    this.#seed = options.seed ?? 1
    this.#stuckAfter = milliseconds(options.stuckAfter ?? '20s')
  }

  now(): number {
    return this.#now
  }

  monotonic(): number {
    return this.#monotonic
  }

  /** The mulberry32 sequence of the seed. */
  random(): number {
    this.#seed = (this.#seed + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#seed ^ (this.#seed >>> 15), 1 | this.#seed)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  schedule(delay: number, callback: () => void): Timer {
    const timer = this.#timers.add(this.#monotonic + Math.ceil(checkedDelay(delay)), callback)
    const cancel = (): void => this.#timers.cancel(timer)
    return { cancel, [Symbol.dispose]: cancel }
  }

  sleep(delay: number, options?: { signal?: AbortSignal | undefined }): Promise<void> {
    return sleepOn(this, delay, options?.signal)
  }

  busy(what: string, waiting?: Pausable): Work {
    return new SimulatedWork(this.#work, what, waiting)
  }

  /** Sets the wall clock without moving time, as when a machine's clock is corrected. */
  jumpTo(wallTime: string): void {
    this.#now = wallTimeOf(wallTime)
  }

  /** When the next timer is due, in milliseconds from now; `undefined` when none is set. */
  nextDue(): number | undefined {
    const next = this.#timers.next()
    return next && next.due - this.#monotonic
  }

  /**
   * Runs everything that can happen without time passing. Rejects with code `CLOCK_STUCK` when a piece of work does
   * not end. The event loop keeps running meanwhile, however much work there is.
   */
  async settle(options: DriveOptions = {}): Promise<void> {
    await this.#finishWork(options.signal)
    for (let next = this.#timers.next(); next && next.due <= this.#monotonic; next = this.#timers.next()) {
      this.#timers.fire()
      await this.#finishWork(options.signal)
    }
  }

  /** Lets time pass: every timer that falls due fires at its own time, and the work that it starts runs to its end. */
  async advance(duration: Duration, options: DriveOptions = {}): Promise<void> {
    const end = this.#monotonic + Math.ceil(milliseconds(duration))
    await this.settle(options)
    for (let next = this.#timers.next(); next && next.due <= end; next = this.#timers.next()) {
      this.#moveTo(next.due)
      this.#timers.fire()
      await this.settle(options)
    }
    this.#moveTo(end)
  }

  #moveTo(due: number): void {
    if (due <= this.#monotonic) return
    this.#now += due - this.#monotonic
    this.#monotonic = due
  }

  /**
   * Gives the event loop turns until no work is under way. Promise chains in memory run to their end
   * within one turn; work that leaves the process says so through `busy`. A loop that kept turning would take the processor
   * from the very thread that it waits for, so it pauses after some turns.
   */
  async #finishWork(signal: AbortSignal | undefined): Promise<void> {
    for (let turn = 0; ; turn++) {
      await turnOfTheEventLoop()
      signal?.throwIfAborted()
      const [oldest] = this.#work
      if (!oldest) return
      if (turn < TURNS_WITHOUT_PAUSE) continue
      const now = performance.now()
      // Only work that takes long is timed: nearly all of it ends within a few turns.
      for (const work of this.#work) work.since = turn === TURNS_WITHOUT_PAUSE ? now : (work.since ?? now)
      const waited = now - (oldest.since ?? now)
      if (turn >= TURNS_BEFORE_STUCK && waited >= this.#stuckAfter) throw this.#stuck()
      await this.#work.untilNone(PAUSE)
    }
  }

  #stuck(): HomeostatError {
    const names = new Set(Array.from(this.#work, ({ what }) => what))
    return new HomeostatError(
      'CLOCK_STUCK',
      `time cannot move on: still under way are ${[...names].join(', ')}. ` +
        'Either this work never ends, such as a promise that nothing resolves, or it waits for a timer that this clock does not control: sleep with the clock of the reconcile or the webhook, await context.clock.sleep(…), not with setTimeout or another clock.',
    )
  }
}

function wallTimeOf(text: string): number {
  const time = Date.parse(text)
  if (!Number.isNaN(time)) return time
  throw new HomeostatError('TIME_INVALID', `'${text}' is not a time: use one such as '2026-01-01T12:00:00Z'`)
}
