/**
 * Wall time, monotonic time, timers and randomness. Everything in Homeostat that depends on time or randomness takes
 * a `Clock`, so that a test can let five minutes pass at once and repeat a run exactly.
 */
export interface Clock {
  /** Wall time in milliseconds since 1970 (UTC). It may jump, forwards or back. */
  now(): number
  /** Milliseconds on a scale that never goes back, for measuring durations and deadlines. */
  monotonic(): number
  /** A number from 0 (inclusive) to 1 (exclusive). */
  random(): number
  /**
   * Calls `callback` once, after `milliseconds` on the monotonic scale. There is no upper limit. Callbacks due at
   * the same time run in the order in which they were scheduled.
   */
  schedule(milliseconds: number, callback: () => void): Timer
  /** Resolves after `milliseconds`; rejects with the signal's reason when it aborts first. */
  sleep(milliseconds: number, options?: { signal?: AbortSignal | undefined }): Promise<void>
  /**
   * Registers work under way that has no timer: a request, a reconcile, a process that starts. Simulated time does not
   * move, and does not count as settled, until all such work has ended or is paused. `waiting` is the work that waits
   * for this work; it is paused whenever this work is paused. On the system clock, `busy` does nothing.
   */
  busy(what: string, waiting?: Pausable): Work
}

/** A scheduled callback. Cancelling it twice, or after it ran, does nothing. */
export interface Timer extends Disposable {
  cancel(): void
}

/** Work that keeps simulated time from moving, except while it is paused. */
export interface Pausable {
  /**
   * Lets simulated time move until the pause is disposed of, because this work itself waits for time to pass.
   * Overlapping pauses count as one, from the start of the first to the end of the last.
   */
  pause(): Disposable
}

/** Work under way; ending it twice does nothing. Ending it also ends its pauses. */
export interface Work extends Pausable, Disposable {
  end(): void
}
