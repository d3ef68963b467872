import type { Clock } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'
import type { WorkItem } from '../queue/index.ts'
import type { Cause } from '../reconcile/index.ts'
import { LoopChanges } from './loop-changes.ts'
import { RecentEntries } from './recent-entries.ts'
import type { FoundLoop } from './self-caused-runs.ts'

/** One reconcile, as part of a chain of reconciles whose writes cause each other. */
export interface ChainedRun {
  /** The controller and the object: `site default/a`. */
  readonly request: string
  /** The versions of the events that caused it; none if something else also caused it. */
  readonly versions: readonly string[]
  hasWritten: boolean
  /** Whether the reconcile that caused it was looked for. */
  isResolved: boolean
  /** How often the chain has come back to each request. */
  turns: ReadonlyMap<string, number>
}

interface CausingEvent {
  readonly cause: Cause
  /** The version of the object, or the uid of one that was deleted. */
  readonly version: string
}

/** How many turns are a loop: an operator that works its way through steps together with another has fewer. */
const LOOP = 500
/** The changed fields are recorded from this turn on. */
const NEARLY = LOOP - 10
/** After how many milliseconds the same loop is reported again. */
const SILENCE = 600_000
/** The most requests of one circle. */
const MOST_TURNS = 32
const MOST_EVENTS = 100
const MOST_KEPT = 5000
const NO_TURNS: ReadonlyMap<string, number> = new Map()

/**
 * Finds endless loops of several reconciles of one manager, such as two controllers that undo each other's writes. A
 * reconcile belongs to a chain only if every event that caused it is a write of a reconcile; a change by another client, a
 * retry, a requeue and `requeueAfter` begin a new chain. Memory is bounded: the oldest writes, events and loops are
 * forgotten first.
 */
export class WriteChains {
  readonly #clock: Clock
  /** By the version that was written, or the uid that was deleted. */
  readonly #writes = new RecentEntries<ChainedRun>(MOST_KEPT)
  /** The events that no reconcile of each request has seen, in their order. */
  readonly #events = new RecentEntries<CausingEvent[]>(MOST_KEPT)
  readonly #loops = new RecentEntries<{ readonly changes: LoopChanges; toldAt: number }>(MOST_KEPT)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** How many writes, events and loops are remembered. */
  get size(): number {
    return this.#writes.size + this.#events.size + this.#loops.size
  }

  /** Records that the reconcile wrote this version, or deleted the object with this uid. */
  wrote(run: ChainedRun, version: string): void {
    run.hasWritten = true
    this.#writes.set(version, run)
  }

  /** An event asks for the request. */
  event(request: string, event: ObjectEvent, cause: Cause): void {
    // Before the first write there is nothing that an event could come from.
    if (this.#writes.size === 0) return
    const { uid, resourceVersion } = event.identity ?? event.object.metadata
    const seen = { cause, version: event.type === 'deleted' ? uid : resourceVersion }
    const events = this.#events.get(request)
    if (!events) this.#events.set(request, [seen])
    else if (events.length < MOST_EVENTS) events.push(seen)
    this.#loops.get(request)?.changes.add(event, cause)
  }

  /** A reconcile of the request starts. */
  started(request: string, item: WorkItem<Cause>): ChainedRun {
    const versions = this.#versionsBehind(request, item)
    return { request, versions, hasWritten: false, isResolved: false, turns: NO_TURNS }
  }

  /** The versions of the events that caused the reconcile; none if something else did too, such as a timer. */
  #versionsBehind(request: string, { causes, omittedCauses }: WorkItem<Cause>): string[] {
    const events = this.#events.get(request)
    if (!events) return []
    // Later events are for the next reconcile. The order of causes differs where a reconcile was postponed.
    const last = events.findLastIndex(({ cause }) => causes.includes(cause))
    const seen = events.splice(0, last === -1 ? events.length : last + 1)
    if (events.length === 0) this.#events.delete(request)
    if (last === -1 || seen.length !== causes.length + omittedCauses) return []
    return seen.map(({ version }) => version)
  }

  /** A reconcile ended. Returns the loop that it is part of, if it is. */
  ended(run: ChainedRun): FoundLoop | undefined {
    if (!run.hasWritten) return undefined
    this.#resolve(run)
    const { request, turns } = run
    const turn = turns.get(request) ?? 0
    if (turn < NEARLY) return undefined
    let loop = this.#loops.get(request)
    if (!loop) {
      loop = { changes: new LoopChanges(), toldAt: Number.NEGATIVE_INFINITY }
      this.#loops.set(request, loop)
    }
    if (turn < LOOP) return undefined
    const now = this.#clock.monotonic()
    const isNews = now - loop.toldAt >= SILENCE
    if (isNews) loop.toldAt = now
    // The others may have come into the circle later.
    const others = [...turns].flatMap(([other, times]) =>
      other !== request && times >= turn / 2 ? [other] : [],
    )
    const changes = loop.changes.mostFrequent()
    return { count: turn, changes, ...(others.length > 0 ? { others } : {}), isNews }
  }

  /** Finds the reconcile that caused this one. An event may come before the answer to the write that it is about. */
  #resolve(run: ChainedRun): void {
    if (run.isResolved) return
    run.isResolved = true
    const { request } = run
    const causes = this.#causesOf(run)
    const turns = new Map<string, number>()
    for (const cause of causes) {
      for (const [other, turn] of cause.turns) turns.set(other, Math.max(turn, turns.get(other) ?? 0))
    }
    // It comes back only if each of its causes goes back to it.
    const before = causes.map((cause) => cause.turns.get(request) ?? -1)
    turns.delete(request)
    if (turns.size >= MOST_TURNS) turns.clear()
    run.turns = turns.set(request, before.length > 0 ? Math.min(...before) + 1 : 0)
  }

  /** The reconciles that caused this one; none if another client did too. */
  #causesOf({ versions }: ChainedRun): readonly ChainedRun[] {
    const causes = new Set<ChainedRun>()
    for (const version of versions) {
      const writer = this.#writes.get(version)
      if (!writer) return []
      this.#resolve(writer)
      causes.add(writer)
    }
    return [...causes]
  }
}
