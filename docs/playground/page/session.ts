import type { LiveRecording } from '../../../packages/dashboard/page/model/connect.ts'
import type { Store } from '../../../packages/dashboard/page/model/store.ts'
import type { Entry, Recording } from '../../../packages/dashboard/src/recording/index.ts'
import { texts } from './language/index.ts'
import type { Files, Order, Pods, Problem, Report } from '../worker/messages.ts'

/** How long a worker may take to start an operator, in milliseconds. */
const LONGEST_START = 20_000
/** How long a worker may be silent afterwards while it works. */
const LONGEST_WORK = 8000
/** How much time one order lets pass at most, so that each is answered soon. */
const LONGEST_STEP = 3_600_000
/** How often time is moved while it runs by itself. */
const TICK = 100

/** Marks in the browser's timeline when the first reconcile ended. */
const FIRST_RECONCILE = 'first reconcile'

export type SessionState = 'empty' | 'starting' | 'running' | 'ended'

/** An operator that runs in a worker. Each change of the code ends the worker and starts another one. */
export class Session implements LiveRecording {
  state: SessionState = 'empty'
  /** The problem of the code, or of its run; `blocked` stands for code that does not end. */
  problem: Problem | 'blocked' | undefined
  /** The simulated time, in milliseconds since 1970. */
  now = 0
  /** How many milliseconds pass in each millisecond; 0 while time stands still. */
  speed = 1
  pods: Pods = 'ready'
  readonly #store: Store
  readonly #onChange: () => void
  readonly #onFirstReconcile: () => void
  readonly #asked = new Map<number, (answer: { status: number; body: object }) => void>()
  #worker: Worker | undefined
  /** A worker that has loaded its scripts already, for the next run. */
  #spare: Worker | undefined = newWorker()
  #hasReconciled = false
  /** What is live, while the page shows another recording. */
  #held: { readonly recording: Recording; readonly since: Entry[] } | undefined
  /** Orders to let time pass that were not answered yet. */
  #passing = 0
  /** Time that is to pass, in milliseconds. */
  #ahead = 0
  #lastTick = performance.now()
  #guard: ReturnType<typeof setTimeout> | undefined
  #lastId = 0

  constructor(store: Store, onChange: () => void, onFirstReconcile: () => void) {
    this.#store = store
    this.#onChange = onChange
    this.#onFirstReconcile = onFirstReconcile
    // The worker is part of the page: there is no connection that could be lost.
    store.connection = 'open'
    setInterval(() => this.#tick(), TICK)
  }

  /** Runs this code from the beginning, in place of what ran before. */
  run(files: Files): void {
    this.#end()
    this.state = 'starting'
    this.problem = undefined
    const worker = this.#spare ?? newWorker()
    this.#spare = undefined
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if (this.#worker === worker) this.#hear(data)
    })
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      if (this.#worker === worker) this.#fail({ message: event.message || texts().workerFailed })
    })
    this.#order({ type: 'run', files })
    if (this.pods !== 'ready') this.#order({ type: 'pods', behaviour: this.pods })
    this.#passing = 1
    this.#watch(LONGEST_START)
    this.#onChange()
  }

  /** Shows what is live again, after another recording. */
  open(): void {
    if (!this.#held) return
    const { recording, since } = this.#held
    this.#held = undefined
    this.#store.open({ ...recording, entries: [...recording.entries, ...since] })
  }

  /** Keeps what is live while another recording is shown. The operator continues. */
  close(): void {
    this.#held ??= { recording: this.#store.recording(), since: [] }
  }

  /** Lets time pass at once. */
  advance(milliseconds: number): void {
    this.#ahead += milliseconds
    this.#pass()
  }

  setSpeed(speed: number): void {
    this.speed = speed
    if (speed > 0 && this.state === 'running') this.problem = undefined
    this.#onChange()
  }

  setPods(behaviour: Pods): void {
    this.pods = behaviour
    if (this.#worker) this.#order({ type: 'pods', behaviour })
    this.#onChange()
  }

  /** What a view of the operator's page asks of its server. */
  readonly ask = async <T>(action: string, body: object): Promise<T> => {
    if (!this.#worker || this.state !== 'running') throw new Error(texts().notRunning)
    const id = ++this.#lastId
    const answered = Promise.withResolvers<{ status: number; body: object }>()
    this.#asked.set(id, answered.resolve)
    this.#order({ type: 'act', id, action, body })
    const answer = await answered.promise
    if (answer.status === 200) return answer.body as T
    throw new Error((answer.body as { message?: string }).message ?? 'The action failed.')
  }

  #hear(report: Report): void {
    const store = this.#store
    if (report.type === 'alive') {
      if (this.#passing > 0) this.#watch(this.state === 'starting' ? LONGEST_START : LONGEST_WORK)
      return
    }
    if (report.type === 'recording') {
      this.state = 'running'
      this.#spare ??= newWorker()
      store.viewer = { canWrite: true }
      store.connection = 'open'
      store.selection = undefined
      this.#held = undefined
      store.open(report.recording)
    } else if (report.type === 'entries') {
      if (this.#held) this.#held.since.push(...report.entries)
      else store.add(report.entries)
      if (!this.#hasReconciled && report.entries.some(({ type }) => type === 'ended')) {
        this.#hasReconciled = true
        performance.mark(FIRST_RECONCILE)
        this.#onFirstReconcile()
      }
    } else if (report.type === 'time') {
      this.now = report.now
      this.#passing--
      clearTimeout(this.#guard)
      this.#pass()
    } else if (report.type === 'problem') this.#fail(report.problem)
    else if (report.type === 'answer') {
      this.#asked.get(report.id)?.(report)
      this.#asked.delete(report.id)
    }
    this.#onChange()
  }

  /** Time stands still after a problem, so that what led to it stays in view. */
  #fail(problem: Problem): void {
    this.problem = problem
    this.speed = 0
    this.#ahead = 0
    if (this.state === 'starting') this.#end()
    this.#onChange()
  }

  #tick(): void {
    const at = performance.now()
    const passed = at - this.#lastTick
    this.#lastTick = at
    // A tab in the background ticks rarely: what it missed does not come at once.
    if (this.state === 'running' && this.speed > 0) this.#ahead += Math.min(passed, 1000) * this.speed
    this.#pass()
  }

  #pass(): void {
    if (this.#passing > 0 || this.#ahead < 1 || this.state !== 'running') return
    const milliseconds = Math.floor(Math.min(this.#ahead, LONGEST_STEP))
    this.#ahead -= milliseconds
    this.#passing++
    this.#order({ type: 'advance', milliseconds })
    this.#watch(LONGEST_WORK)
  }

  /** Ends a worker that does not answer: code in an endless loop hears nothing. */
  #watch(milliseconds: number): void {
    clearTimeout(this.#guard)
    this.#guard = setTimeout(() => {
      this.#end()
      this.#showStopped()
      this.problem = 'blocked'
      this.#onChange()
    }, milliseconds)
  }

  #end(): void {
    clearTimeout(this.#guard)
    this.#worker?.terminate()
    this.#worker = undefined
    this.#passing = 0
    this.#ahead = 0
    this.state = 'ended'
    for (const answer of this.#asked.values()) answer({ status: 409, body: { message: texts().ended } })
    this.#asked.clear()
  }

  /** What was shown stays, so that its reader sees how far it came. */
  #showStopped(): void {
    const { operator, at } = this.#store.latest
    if (!operator) return
    const sequence = (this.#store.entries.at(-1)?.sequence ?? 0) + 1
    const stopped: Entry = { ...operator, isRunning: false, sequence, at }
    if (this.#held) this.#held.since.push(stopped)
    else this.#store.add([stopped])
  }

  #order(order: Order): void {
    this.#worker?.postMessage(order)
  }
}

function newWorker(): Worker {
  return new Worker(new URL('worker.js', document.baseURI), { type: 'module' })
}
