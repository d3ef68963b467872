import type { ReconcileEnded } from 'homeostat'
import {
  FORMAT,
  type Entry,
  type RecordedObject,
  type Recording,
  type StartedRun,
} from '../../src/recording/entry.ts'
import { MomentState } from '../../src/recording/moment-state.ts'

/** One reconcile, as far as it is known. */
export interface Run {
  readonly id: string
  readonly controller: string
  readonly request: { readonly namespace?: string | undefined; readonly name: string }
  readonly start: number
  readonly started?: StartedRun | undefined
  end?: number | undefined
  ended?: (ReconcileEnded & { readonly at: number }) | undefined
  /** Set where the operator ended before the reconcile did. */
  isCut?: boolean | undefined
}

/** One version of an object. Without an object it was deleted. */
export interface Version {
  readonly at: number
  readonly object: RecordedObject | undefined
}

export type Selection =
  | { readonly type: 'object'; readonly uid: string }
  | { readonly type: 'run'; readonly id: string }
  | { readonly type: 'runs'; readonly ids: readonly string[] }
  | undefined

/** Asks the server to change something. Rejects with an error in the server's words. */
export type Ask = <T>(action: string, body: object) => Promise<T>

export type Connection = 'connecting' | 'open' | 'lost' | 'refused' | 'signed-out'

/** Who looks at the page. */
export interface ViewerInfo {
  /** What the API server calls them, where the page asks users to sign in. */
  readonly name?: string | undefined
  readonly canWrite: boolean
}

/** What the page knows, and which part and which moment of it is shown. */
export class Store {
  connection: Connection = 'connecting'
  viewer: ViewerInfo = { canWrite: false }
  /** The name of the file that is shown, where it is not the live operator. */
  file: string | undefined
  selection: Selection
  /** The moment that is shown; undefined: now. */
  moment: number | undefined
  /** Grows when objects change, so that what follows from them is computed once. */
  version = 0
  start = new MomentState({ at: 0, objects: [], queues: [], running: [] }).moment()
  entries: Entry[] = []
  readonly runs = new Map<string, Run>()
  readonly history = new Map<string, Version[]>()
  #latest = new MomentState(this.start)
  #past: { readonly moment: number; readonly state: MomentState } | undefined
  /** Asks for what a viewer wants to be done. */
  readonly ask: Ask
  readonly #listeners = new Set<() => void>()

  constructor(ask: Ask) {
    this.ask = ask
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Shows a recording in place of what was shown. */
  open(recording: Recording, file?: string): void {
    this.file = file
    this.start = recording.start
    this.entries = []
    this.runs.clear()
    this.history.clear()
    this.#latest = new MomentState(recording.start)
    this.#past = undefined
    this.moment = undefined
    for (const object of recording.start.objects)
      this.history.set(object.metadata.uid, [{ at: recording.start.at, object }])
    for (const run of recording.start.running)
      this.runs.set(run.reconcileID, newRun(run.reconcileID, run, run.at))
    this.add(recording.entries)
    if (file !== undefined) this.moment = this.#latest.at
  }

  /** Adds what happened since. */
  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.entries.push(entry)
      this.#latest.apply(entry)
      this.#note(entry)
    }
    if (this.entries.length > 50_000) this.#shorten()
    this.changed()
  }

  changed(): void {
    this.version++
    this.tell()
  }

  /** Something changed besides the objects. */
  tell(): void {
    for (const listener of this.#listeners) listener()
  }

  select(selection: Selection): void {
    this.selection = selection
    this.tell()
  }

  /** Shows another moment. */
  travel(moment: number | undefined): void {
    this.moment = moment === undefined ? undefined : Math.max(moment, this.start.at)
    this.changed()
  }

  /** To the entry before or after the moment that is shown. */
  step(direction: 1 | -1): void {
    const from = this.moment ?? Number.POSITIVE_INFINITY
    const counts = (entry: Entry): boolean => entry.type !== 'queue'
    const next =
      direction > 0
        ? this.entries.find((entry) => counts(entry) && entry.at > from)
        : this.entries.findLast((entry) => counts(entry) && entry.at < from)
    if (next) this.travel(next.at)
    else if (direction > 0 && this.file === undefined) this.travel(undefined)
  }

  get latest(): MomentState {
    return this.#latest
  }

  /** Everything at the moment that is shown. */
  get state(): MomentState {
    const { moment } = this
    if (moment === undefined) return this.#latest
    if (this.#past?.moment === moment) return this.#past.state
    const state = new MomentState(this.start)
    for (const entry of this.entries) {
      if (entry.at > moment) break
      state.apply(entry)
    }
    this.#past = { moment, state }
    return state
  }

  /** Whether what is shown can be changed: it is live, and the viewer may. */
  get canChange(): boolean {
    return this.file === undefined && this.moment === undefined && this.viewer.canWrite
  }

  /** The versions of an object up to the moment that is shown, from the oldest. */
  versionsOf(uid: string): readonly Version[] {
    const all = this.history.get(uid) ?? []
    const { moment } = this
    return moment === undefined ? all : all.filter(({ at }) => at <= moment)
  }

  /** The recording as a file would hold it. */
  recording(): Recording {
    return { format: FORMAT, start: this.start, entries: this.entries }
  }

  #note(entry: Entry): void {
    if (entry.type === 'object') this.#addVersion(entry.object.metadata.uid, entry.at, entry.object)
    else if (entry.type === 'gone') this.#addVersion(entry.uid, entry.at, undefined)
    else if (entry.type === 'started')
      this.runs.set(entry.reconcileID, newRun(entry.reconcileID, entry, entry.at))
    else if (entry.type === 'ended') {
      const run =
        this.runs.get(entry.reconcileID) ?? newRun(entry.reconcileID, entry, entry.at - entry.duration)
      run.end = entry.at
      run.ended = entry
      this.runs.set(run.id, run)
    } else if (entry.type === 'operator' && !entry.isRunning) {
      for (const run of this.runs.values()) {
        if (run.end !== undefined) continue
        run.end = entry.at
        run.isCut = true
      }
    }
  }

  #addVersion(uid: string, at: number, object: RecordedObject | undefined): void {
    const versions = this.history.get(uid)
    if (versions) versions.push({ at, object })
    else this.history.set(uid, [{ at, object }])
  }

  /** Forgets the older half: a page that is open for days must not grow for days. */
  #shorten(): void {
    const kept = this.entries.slice(25_000)
    const state = new MomentState(this.start)
    for (const entry of this.entries.slice(0, 25_000)) state.apply(entry)
    const { moment } = this
    this.open({ format: FORMAT, start: state.moment(), entries: kept }, this.file)
    this.moment = moment
  }
}

function newRun(id: string, about: StartedRun | ReconcileEnded, start: number): Run {
  const { controller, request } = about
  return { id, controller, request, start, started: about.type === 'started' ? about : undefined }
}
