import type { Clock } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'
import type { WorkItem } from '../queue/index.ts'
import type { Cause } from '../reconcile/index.ts'
import { LoopChanges } from './loop-changes.ts'

/** An endless loop: reconciles of one object, each caused only by the writes of the one before. */
export interface ReconcileLoop {
  /** How many of them there were in a row. */
  readonly count: number
  /** The fields that each of them changed: `status.n of Counter default/a`. */
  readonly changes: readonly string[]
  /** The other reconciles between them, by controller and object: `site default/a`. Absent where each caused the next by itself. */
  readonly others?: readonly string[] | undefined
}

/** A loop; `isNews` says that it was not reported in the last ten minutes. */
export interface FoundLoop extends ReconcileLoop {
  readonly isNews: boolean
}

/** How many reconciles in a row are a loop: a rollout of several steps has fewer. */
const LOOP = 100
/** The changed fields are recorded from this count on. */
const NEARLY = LOOP - 10
/** After how many milliseconds the same loop is reported again. */
const SILENCE = 600_000
const MOST_KEYS = 5000
const MOST_EVENTS = 2000

/** The state of a request whose last reconcile wrote. */
interface WritingRequest {
  /** How many reconciles in a row were caused by the writes of the one before, up to the present one. */
  count: number
  /** Whether the present reconcile has written. */
  writes: boolean
  /** The versions that the last reconcile wrote, and the uids that it deleted. */
  readonly made: Set<string>
  /** The versions and uids of the events that have come since. */
  readonly events: string[]
  readonly changes: LoopChanges
  toldAt: number
}

/**
 * Finds endless loops: a reconcile that writes something else each time, and is called again because of that write. A
 * reconcile counts only if every event that caused it is one that the last reconcile of the same request wrote, so a
 * change by another writer, a retry, a requeue and `requeueAfter` reset the count, and so does a reconcile that
 * writes nothing. Memory is bounded: the request that wrote longest ago is forgotten first.
 */
export class SelfCausedRuns {
  readonly #clock: Clock
  readonly #written = new Map<string, WritingRequest>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How many requests are remembered. */
  get size(): number {
    return this.#written.size
  }

  /** The present reconcile of the request is about to write. */
  willWrite(key: string): void {
    let written = this.#written.get(key)
    if (!written) {
      written = {
        count: 0,
        writes: true,
        made: new Set(),
        events: [],
        changes: new LoopChanges(),
        toldAt: Number.NEGATIVE_INFINITY,
      }
      this.#written.set(key, written)
      this.#forgetOldest()
    }
    written.writes = true
  }

  /** Records that the reconcile wrote this version, or deleted the object with this uid. */
  wrote(key: string, version: string): void {
    this.#written.get(key)?.made.add(version)
  }

  /** An event asks for the request. */
  event(key: string, event: ObjectEvent, cause: Cause): void {
    const written = this.#written.get(key)
    if (!written || written.events.length >= MOST_EVENTS) return
    const { uid, resourceVersion } = event.identity ?? event.object.metadata
    written.events.push(event.type === 'deleted' ? uid : resourceVersion)
    if (written.count >= NEARLY) written.changes.add(event, cause)
  }

  /** A reconcile starts. */
  started(item: WorkItem<Cause>): void {
    const written = this.#written.get(item.key)
    if (!written) return
    const { made, events, changes } = written
    // A cause without an event came from elsewhere, such as a timer.
    const known = item.causes.length + item.omittedCauses <= events.length
    if (known && events.every((version) => made.has(version))) {
      written.count++
    } else {
      written.count = 0
      changes.clear()
    }
    written.writes = false
    made.clear()
    events.length = 0
  }

  /** A reconcile ended. Returns the loop that it is part of, if it is. */
  ended(key: string): FoundLoop | undefined {
    const written = this.#written.get(key)
    if (!written) return undefined
    if (!written.writes) {
      this.#written.delete(key)
      return undefined
    }
    if (written.count < LOOP) return undefined
    const now = this.#clock.monotonic()
    const isNews = now - written.toldAt >= SILENCE
    if (isNews) written.toldAt = now
    return { count: written.count, changes: written.changes.mostFrequent(), isNews }
  }

  #forgetOldest(): void {
    if (this.#written.size <= MOST_KEYS) return
    for (const oldest of this.#written.keys()) {
      this.#written.delete(oldest)
      return
    }
  }
}
