import type { Clock, Timer } from '@homeostat/api'
import { DelayHeap } from './delay-heap.ts'
import { Pace } from './pace.ts'
import { NO_CAUSES, NOW, QueueEntry, Turn, type WorkItem } from './queue-entry.ts'
import { ReadyList } from './ready-list.ts'
import type { TokenBucket } from './token-bucket.ts'

export interface WorkQueueOptions {
  clock: Clock
  /** How many causes one item carries at most. Default: 10. */
  maxCauses?: number | undefined
  /** Requests that were added with `budgeted` must get a token of it when they are due. Default: no limit. */
  budget?: TokenBucket | undefined
  /** The shortest time between two turns of one key, in milliseconds. Default: none. */
  minInterval?: number | undefined
}

export interface AddOptions<T> {
  /** Higher ones are handed out first. Default: 0. */
  priority?: number | undefined
  /** Why the key is added, for logs. */
  cause?: T | undefined
  /** Whether it must get a token from the queue's budget before it is handed out. Default: false. */
  budgeted?: boolean | undefined
}

/** A key of the queue, and what it waits for. A key that runs and is pending again is listed twice. */
export interface QueuedKey<T> {
  readonly key: string
  readonly state: 'running' | 'ready' | 'delayed'
  /** When it started, became ready or will be ready, on the clock's monotonic scale. */
  readonly time: number
  readonly causes: readonly T[]
}

interface Waiter<T> {
  resolve(item: WorkItem<T> | undefined): void
}

/**
 * A queue of keys, each at most once, and never handed out to two workers at the same time. `SPEC.md` beside this
 * file has the rules. The queue does not know what the keys mean.
 */
export class WorkQueue<T = unknown> {
  readonly #clock: Clock
  readonly #maxCauses: number
  readonly #budget: TokenBucket | undefined
  readonly #pace: Pace | undefined
  readonly #entries = new Map<string, QueueEntry<T>>()
  readonly #ready = new ReadyList<QueueEntry<T>>()
  readonly #delayed = new DelayHeap<QueueEntry<T>>()
  #running = 0
  readonly #waiters = new Set<Waiter<T>>()
  #order = 0
  #timer: { due: number; timer: Timer } | undefined
  #shutDown: { drain: boolean; finished: PromiseWithResolvers<void> } | undefined

  constructor(options: WorkQueueOptions) {
    this.#clock = options.clock
    this.#maxCauses = options.maxCauses ?? 10
    this.#budget = options.budget
    this.#pace = options.minInterval ? new Pace(options.minInterval) : undefined
  }

  /** How many keys are ready to be handed out. */
  get depth(): number {
    return this.#ready.size
  }

  /** How many keys are not due yet. */
  get delayed(): number {
    return this.#delayed.size
  }

  /** How many keys the queue has in total. */
  get size(): number {
    return this.#entries.size
  }

  /** The items that were handed out and are not done. */
  get running(): readonly WorkItem<T>[] {
    // Called rarely: keeping a set of them would cost more at each turn than the rest of the queue.
    return [...this.#entries.values()].flatMap(({ running }) => running ?? [])
  }

  /** All keys, in no order. */
  *keys(): Generator<QueuedKey<T>> {
    const now = this.#clock.monotonic()
    for (const { key, running, pending, due, readySince, causes = NO_CAUSES } of this.#entries.values()) {
      if (running) yield { key, state: 'running', time: running.since, causes: running.causes }
      if (!pending) continue
      if (due > now) yield { key, state: 'delayed', time: due, causes }
      // A running key becomes ready when it is done.
      else yield { key, state: 'ready', time: running ? now : readySince, causes }
    }
  }

  /** How many keys are ready, by priority. */
  depthByPriority(): Iterable<{ priority: number; count: number }> {
    return this.#ready.counts()
  }

  /** Adds the key, to be handed out as soon as possible. False where it was already pending. */
  add(key: string, options: AddOptions<T> = {}): boolean {
    return this.#put(key, NOW, options)
  }

  /** Adds the key, to be handed out after `milliseconds`. False where it was already pending. */
  addAfter(key: string, milliseconds: number, options: AddOptions<T> = {}): boolean {
    return this.#put(key, milliseconds > 0 ? this.#clock.monotonic() + milliseconds : NOW, options)
  }

  /**
   * Adds the key, to be handed out after at most `milliseconds`. If it is pending for an earlier time, that turn also
   * gets this cause. False where it was already pending.
   */
  addWithin(key: string, milliseconds: number, options: AddOptions<T> = {}): boolean {
    const due = milliseconds > 0 ? this.#clock.monotonic() + milliseconds : NOW
    return this.#put(key, due, options, true)
  }

  /**
   * Resolves with the next key as soon as one is ready; with `undefined` once the queue is shut down and empty.
   * Rejects with the signal's reason if it aborts first: then no key was handed out.
   */
  get(options: { signal?: AbortSignal | undefined } = {}): Promise<WorkItem<T> | undefined> {
    const { signal } = options
    if (signal?.aborted) return Promise.reject(signal.reason)
    const item = this.tryGet()
    if (item || this.#exhausted()) return Promise.resolve(item)
    return new Promise((resolve, reject) => {
      const waiter: Waiter<T> = {
        resolve(item) {
          signal?.removeEventListener('abort', abort)
          resolve(item)
        },
      }
      const abort = (): void => {
        this.#waiters.delete(waiter)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiters.add(waiter)
    })
  }

  /** The next key if one is ready. */
  tryGet(): WorkItem<T> | undefined {
    const entry = this.#ready.shift()
    if (!entry) return undefined
    const now = this.#clock.monotonic()
    const item = new Turn(entry, now)
    entry.pending = false
    entry.running = item
    this.#running++
    this.#pace?.started(entry.key, now)
    return item
  }

  /** Marks the item as done. Calling it again with the same item does nothing. */
  done(item: WorkItem<T>): void {
    const entry = Turn.entryOf(item)
    if (!entry) return
    this.#running--
    entry.running = undefined
    if (entry.pending) this.#place(entry)
    else this.#entries.delete(entry.key)
    if (this.#shutDown) this.#finishIfExhausted()
  }

  /**
   * Accepts no more keys, and drops those that are not due. With `drain`, ready keys are still handed out; without it,
   * none are. Resolves when the queue has no request left and nothing runs.
   */
  shutDown(options: { drain?: boolean | undefined } = {}): Promise<void> {
    if (!this.#shutDown) {
      this.#shutDown = { drain: options.drain ?? false, finished: Promise.withResolvers() }
      this.#timer?.timer.cancel()
      this.#timer = undefined
      for (const entry of this.#delayed.clear()) this.#drop(entry)
      if (!this.#shutDown.drain) {
        for (let entry = this.#ready.shift(); entry; entry = this.#ready.shift()) this.#drop(entry)
      }
      this.#finishIfExhausted()
    }
    return this.#shutDown.finished.promise
  }

  #put(key: string, asked: number, options: AddOptions<T>, joins = false): boolean {
    if (this.#shutDown) return false
    const due = this.#pace ? this.#pace.after(key, asked, this.#clock.monotonic()) : asked
    const priority = options.priority ?? 0
    let entry = this.#entries.get(key)
    if (entry?.pending) this.#catchUp(entry)
    if (entry?.pending) {
      this.#merge(entry, due, priority, options, joins)
      return false
    }
    if (!entry) {
      entry = new QueueEntry(key)
      this.#entries.set(key, entry)
    }
    entry.pending = true
    entry.due = due
    entry.priority = priority
    entry.budgeted = options.budgeted ?? false
    entry.causes = options.cause === undefined ? undefined : [options.cause]
    entry.omittedCauses = 0
    if (!entry.running) this.#place(entry)
    return true
  }

  /** Moves a pending request whose due time has passed to the ready ones, if the timer has not fired yet. */
  #catchUp(entry: QueueEntry<T>): void {
    if (entry.due === NOW || entry.due > this.#clock.monotonic()) return
    if (entry.running) {
      entry.due = NOW
    } else {
      this.#delayed.remove(entry)
      this.#release(entry)
    }
  }

  /** Merges a pending request with a new one: the earlier time and the higher priority win. */
  #merge(entry: QueueEntry<T>, due: number, priority: number, options: AddOptions<T>, joins: boolean): void {
    const earlier = due < entry.due
    const raised = priority > entry.priority
    if (due === entry.due || (joins && !earlier)) {
      entry.addCause(options.cause, this.#maxCauses)
      entry.budgeted &&= options.budgeted ?? false
    } else if (earlier) {
      entry.causes = options.cause === undefined ? undefined : [options.cause]
      entry.omittedCauses = 0
      entry.budgeted = options.budgeted ?? false
    }
    if (entry.running) {
      entry.due = Math.min(entry.due, due)
      entry.priority = Math.max(entry.priority, priority)
    } else if (earlier || (raised && entry.level)) {
      this.#delayed.remove(entry)
      this.#ready.remove(entry)
      entry.due = Math.min(entry.due, due)
      entry.priority = Math.max(entry.priority, priority)
      this.#place(entry)
      if (this.#timer) this.#setTimer()
    } else if (raised) {
      entry.priority = priority
    }
  }

  /** Puts a pending request whose key does not run among the ready or among the delayed ones. */
  #place(entry: QueueEntry<T>): void {
    if (entry.due !== NOW && entry.due > this.#clock.monotonic()) {
      if (this.#shutDown) this.#drop(entry)
      else this.#delay(entry)
    } else {
      this.#release(entry)
    }
  }

  #delay(entry: QueueEntry<T>): void {
    entry.order = this.#order++
    this.#delayed.add(entry)
    this.#setTimer()
  }

  /** Makes a due entry ready, after the wait that the budget requires, if any. */
  #release(entry: QueueEntry<T>): void {
    const now = this.#clock.monotonic()
    if (this.#shutDown && !this.#shutDown.drain) {
      this.#drop(entry)
      return
    }
    if (entry.budgeted) {
      entry.budgeted = false
      const wait = this.#budget?.take(now) ?? 0
      if (wait > 0) {
        entry.due = now + wait
        this.#place(entry)
        return
      }
    }
    entry.due = NOW
    entry.readySince = now
    this.#ready.add(entry)
    this.#serveWaiters()
  }

  #drop(entry: QueueEntry<T>): void {
    entry.pending = false
    if (!entry.running) this.#entries.delete(entry.key)
  }

  #serveWaiters(): void {
    for (const waiter of this.#waiters) {
      const item = this.tryGet()
      if (!item) return
      this.#waiters.delete(waiter)
      waiter.resolve(item)
    }
  }

  /** One timer for all waiting requests, so that the clock has one timer for each queue, not one for each key. */
  #setTimer(): void {
    const due = this.#delayed.first()?.due
    if (due !== undefined && this.#timer && this.#timer.due <= due) return
    this.#timer?.timer.cancel()
    this.#timer = undefined
    if (due === undefined) return
    const timer = this.#clock.schedule(due - this.#clock.monotonic(), () => this.#wake(due))
    this.#timer = { due, timer }
  }

  #wake(due: number): void {
    this.#timer = undefined
    // A clock may call a little early: the key that the timer was set for counts as due.
    const now = Math.max(due, this.#clock.monotonic())
    for (let entry = this.#delayed.first(); entry && entry.due <= now; entry = this.#delayed.first()) {
      this.#delayed.remove(entry)
      this.#release(entry)
    }
    this.#setTimer()
  }

  #exhausted(): boolean {
    if (!this.#shutDown) return false
    return !this.#shutDown.drain || (this.#ready.size === 0 && this.#running === 0)
  }

  #finishIfExhausted(): void {
    if (!this.#shutDown || !this.#exhausted()) return
    for (const waiter of this.#waiters) waiter.resolve(undefined)
    this.#waiters.clear()
    if (this.#running === 0) this.#shutDown.finished.resolve()
  }
}
