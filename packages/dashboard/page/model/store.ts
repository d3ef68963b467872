import { FORMAT, type Entry, type RecordedObject, type Recording } from '../../src/recording/entry.ts'
import { MomentState } from '../../src/recording/moment-state.ts'
import type { RecordedStory } from '../../src/recording/story.ts'
import { followingQueue } from './following-queue.ts'
import { newRun, noteFailure, withoutEnd, type Run } from './run.ts'

/** One version of an object. Without an object it was deleted. */
export interface Version {
  readonly at: number
  readonly sequence: number
  readonly object: RecordedObject | undefined
}

export type Selection =
  | { readonly type: 'object'; readonly uid: string }
  | { readonly type: 'run'; readonly id: string }
  | { readonly type: 'runs'; readonly ids: readonly string[] }
  /** The form in which a user writes a new object. */
  | { readonly type: 'create' }
  | undefined

/** Asks the server to change something. Rejects with an error in the server's words. */
export type Ask = <T>(action: string, body: object) => Promise<T>

export type Connection = 'connecting' | 'open' | 'lost' | 'refused' | 'signed-out'

/** The user who views the page. */
export interface ViewerInfo {
  /** Their name at the API server, where the page asks users to sign in. */
  readonly name?: string | undefined
  readonly canWrite: boolean
}

/** Everything that the page knows, and which part and which moment of it are shown. */
export class Store {
  connection: Connection = 'connecting'
  viewer: ViewerInfo = { canWrite: false }
  /** The name of the file that is shown, where it is not the live operator. */
  file: string | undefined
  selection: Selection
  /** The story that the shown recording tells. */
  story: RecordedStory | undefined
  /** Rises with each change of what is shown, so that data derived from it is computed once. */
  version = 0
  /** Rises when objects come or go or get another owner, which is much rarer. */
  structure = 0
  start = new MomentState({ at: 0, objects: [], queues: [], running: [] }).moment()
  entries: Entry[] = []
  readonly runs = new Map<string, Run>()
  /** The same in the order in which they became known. */
  readonly runList: Run[] = []
  /** The names of the controllers of all runs. */
  readonly controllers = new Set<string>()
  /** The length of the longest run, in milliseconds. */
  longestRun = 0
  /** The last reconcile of each request that failed. */
  readonly #failures = new Map<string, Run>()
  readonly history = new Map<string, Version[]>()
  #latest = new MomentState(this.start)
  #moment: number | undefined
  /** The number of the last entry that is shown, where only some entries of its moment are. */
  #through: number | undefined
  #past:
    | {
        readonly moment: number
        readonly through: number | undefined
        readonly state: MomentState
        /** Whether it has the queue that was recorded after the moment. */
        readonly hasQueue: boolean
      }
    | undefined
  /** Asks the server to do what a viewer wants. */
  readonly ask: Ask
  readonly #listeners = new Set<() => void>()

  constructor(ask: Ask) {
    this.ask = ask
  }

  /** The moment that is shown; undefined: now. */
  get moment(): number | undefined {
    return this.#moment
  }

  set moment(moment: number | undefined) {
    this.#moment = moment
    this.#through = undefined
    this.structure++
  }

  onChange(listener: () => void): void {
    this.#listeners.add(listener)
  }

  /** Shows a recording in place of what was shown. */
  open(recording: Recording, file?: string): void {
    this.file = file
    this.story = recording.story
    this.start = recording.start
    this.entries = []
    this.runs.clear()
    this.runList.length = 0
    this.controllers.clear()
    this.longestRun = 0
    this.#failures.clear()
    this.history.clear()
    this.structure++
    this.#latest = new MomentState(recording.start)
    this.#past = undefined
    this.moment = undefined
    for (const object of recording.start.objects)
      this.history.set(object.metadata.uid, [{ at: recording.start.at, sequence: 0, object }])
    for (const run of recording.start.running)
      this.#addRun(newRun(run.reconcileID, { ...run, sequence: 0 }, run.at))
    this.add(recording.entries)
    if (file !== undefined) this.moment = this.#latest.at
    if (this.story) this.showStep(0)
  }

  /** Adds what happened since. */
  add(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.entries.push(entry)
      if (this.#isRestructured(entry)) this.structure++
      // It may be the one that follows from the moment that is shown.
      if (entry.type === 'queue' && this.#past?.hasQueue === false) this.#past = undefined
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

  /** Reports a change of something other than objects. */
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

  /** Moves to the entry before or after the last one that is shown. */
  step(direction: 1 | -1): void {
    const counts = (entry: Entry): boolean => entry.type !== 'queue'
    const shown = this.entries.findLastIndex((entry) => counts(entry) && this.isShown(entry))
    // Now shows the last entry already, and a step back from it fixes that moment.
    const from = this.moment === undefined && direction < 0 ? this.entries.length : shown
    const next =
      direction > 0
        ? this.entries.find((entry, index) => counts(entry) && index > from)
        : this.entries.findLast((entry, index) => counts(entry) && index < from)
    if (next) this.#showEntry(next)
    else if (direction > 0 && this.file === undefined) this.travel(undefined)
  }

  /** Whether what happened then is part of what is shown. */
  isShown({ at, sequence }: { readonly at: number; readonly sequence: number }): boolean {
    if (this.#moment !== undefined && at > this.#moment) return false
    return this.#through === undefined || sequence <= this.#through
  }

  /** The step of the story that is shown, counted from 0. */
  get storyStep(): number {
    const { steps = [] } = this.story ?? {}
    const last = this.entries.findLast((entry) => this.isShown(entry))?.sequence ?? 0
    const found = steps.findIndex(({ until }) => until >= last)
    return found < 0 ? steps.length - 1 : found
  }

  /** Shows everything as it is at the end of a step of the story. */
  showStep(index: number): void {
    const step = this.story?.steps[index]
    if (!step) return
    const last = this.entries.findLast(({ sequence }) => sequence <= step.until)
    if (last) this.#showEntry(last)
    else this.travel(this.start.at)
  }

  #showEntry({ at, sequence }: Entry): void {
    this.#moment = at
    this.#through = sequence
    this.structure++
    this.changed()
  }

  get latest(): MomentState {
    return this.#latest
  }

  /** Everything at the moment that is shown. */
  get state(): MomentState {
    const through = this.#through
    const { moment } = this
    if (moment === undefined) return this.#latest
    if (this.#past?.moment === moment && this.#past.through === through) return this.#past.state
    const state = new MomentState(this.start)
    let shown = 0
    for (const entry of this.entries) {
      if (!this.isShown(entry)) break
      state.apply(entry)
      shown++
    }
    const queue = followingQueue(this.entries, shown)
    if (queue) state.queues.set(queue.controller, queue)
    this.#past = { moment, through, state, hasQueue: queue !== undefined }
    return state
  }

  /** Whether what is shown can be changed: it is live, and the server lets the viewer. */
  get canChange(): boolean {
    if (this.file !== undefined || this.moment !== undefined) return false
    return this.viewer.canWrite && this.connection !== 'refused'
  }

  /** The versions of an object up to the moment that is shown, from the oldest. */
  versionsOf(uid: string): readonly Version[] {
    const all = this.history.get(uid) ?? []
    return this.moment === undefined ? all : all.filter((version) => this.isShown(version))
  }

  /** The reconciles that failed last, of each controller and object, at the moment that is shown. */
  get failures(): Iterable<Run> {
    if (this.moment === undefined) return this.#failures.values()
    const failures = new Map<string, Run>()
    for (const run of this.runList) if (run.ended && this.isShown(run.ended)) noteFailure(failures, run)
    return failures.values()
  }

  /** The reconciles that run at the moment that is shown. */
  get runningNow(): readonly Run[] {
    return [...this.state.running.keys()].flatMap((id) => this.run(id) ?? [])
  }

  /** The last runs that are shown, from the newest. */
  lastRuns(most: number): readonly Run[] {
    const found: Run[] = []
    for (let index = this.runList.length - 1; index >= 0 && found.length < most; index--) {
      const run = this.runList[index]
      if (run && this.#hasStarted(run)) found.push(this.#asShown(run))
    }
    return found
  }

  /** A reconcile as it is at the moment that is shown. */
  run(id: string): Run | undefined {
    const run = this.runs.get(id)
    return run && this.#asShown(run)
  }

  /** The runs that are shown, in the order in which they became known. */
  get shownRuns(): readonly Run[] {
    if (this.moment === undefined) return this.runList
    return this.runList.filter((run) => this.#hasStarted(run)).map((run) => this.#asShown(run))
  }

  /** The runs that are shown and that ran after a time, in the order of their starts. */
  runsSince(from: number, shown: number): readonly Run[] {
    const { runList } = this
    // None that started before this was still running then, except those that have not ended.
    const earliest = from - this.longestRun
    let first = runList.length
    while (first > 0 && (runList[first - 1]?.start ?? 0) >= earliest) first--
    const found: Run[] = []
    for (const { reconcileID } of this.state.running.values()) {
      const run = this.runs.get(reconcileID)
      if (run && run.start < earliest && this.#hasStarted(run)) found.push(this.#asShown(run))
    }
    for (let index = first; index < runList.length; index++) {
      const run = runList[index]
      if (!run || run.start > shown || (run.end ?? shown) < from) continue
      if (this.#hasStarted(run)) found.push(this.#asShown(run))
    }
    return found
  }

  #hasStarted({ start, sequence }: Run): boolean {
    return this.#moment === undefined || this.isShown({ at: start, sequence })
  }

  #asShown(run: Run): Run {
    if (this.#moment === undefined || run.end === undefined) return run
    const isOver = run.ended ? this.isShown(run.ended) : run.end <= this.#moment
    return isOver ? run : withoutEnd(run)
  }

  /** The recording as a file would hold it. */
  recording(): Recording {
    return { format: FORMAT, start: this.start, entries: this.entries, story: this.story }
  }

  #note(entry: Entry): void {
    if (entry.type === 'object') this.#addVersion(entry.object.metadata.uid, entry, entry.object)
    else if (entry.type === 'gone') this.#addVersion(entry.uid, entry, undefined)
    else if (entry.type === 'started') this.#addRun(newRun(entry.reconcileID, entry, entry.at))
    else if (entry.type === 'ended') {
      const run =
        this.runs.get(entry.reconcileID) ??
        this.#addRun(newRun(entry.reconcileID, entry, entry.at - entry.duration))
      this.#endRun(run, entry.at)
      run.ended = entry
      noteFailure(this.#failures, run)
    } else if (entry.type === 'operator' && !entry.isRunning) {
      for (const run of this.runList) {
        if (run.end !== undefined) continue
        this.#endRun(run, entry.at)
        run.isCut = true
      }
    }
  }

  #addRun(run: Run): Run {
    this.runs.set(run.id, run)
    this.runList.push(run)
    this.controllers.add(run.controller)
    return run
  }

  #endRun(run: Run, at: number): void {
    run.end = at
    this.longestRun = Math.max(this.longestRun, at - run.start)
  }

  /** Whether the tree of objects has another form after an entry, and not only other contents. */
  #isRestructured(entry: Entry): boolean {
    if (entry.type === 'gone' || entry.type === 'operator') return true
    if (entry.type !== 'object') return false
    const before = this.#latest.objects.get(entry.object.metadata.uid)
    return !before || ownersOf(before) !== ownersOf(entry.object)
  }

  #addVersion(uid: string, { at, sequence }: Entry, object: RecordedObject | undefined): void {
    const versions = this.history.get(uid)
    const version = { at, sequence, object }
    if (versions) versions.push(version)
    else this.history.set(uid, [version])
  }

  /** Forgets the older half: a page that is open for days must not grow for days. */
  #shorten(): void {
    const kept = this.entries.slice(25_000)
    const state = new MomentState(this.start)
    for (const entry of this.entries.slice(0, 25_000)) state.apply(entry)
    const { moment, story } = this
    this.open({ format: FORMAT, start: state.moment(), entries: kept, story }, this.file)
    this.moment = moment
  }
}

function ownersOf({ metadata }: RecordedObject): string {
  return (metadata.ownerReferences ?? []).map(({ uid, controller }) => `${uid} ${controller}`).join(' ')
}
