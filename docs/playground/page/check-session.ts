import type { Recording } from '../../../packages/dashboard/src/recording/index.ts'
import type { CheckedFinding, Files, Order, Problem, Report } from '../worker/messages.ts'

/** How long a check may say nothing before it counts as blocked, in milliseconds. */
const LONGEST_SILENCE = 30_000

export type CheckState =
  | { readonly type: 'checking'; readonly done: number; readonly planned: number; readonly findings: number }
  | { readonly type: 'checked'; readonly findings: readonly CheckedFinding[]; readonly runs: number }
  | { readonly type: 'problem'; readonly problem: Problem | 'blocked' }

/** Checks an operator in a worker of its own, beside the one that runs it. */
export class CheckSession {
  state: CheckState | undefined
  /** The finding whose story is about to be shown. */
  opening: CheckedFinding | undefined
  readonly #onChange: () => void
  readonly #onStory: (recording: Recording) => void
  #files: Files = {}
  #worker: Worker | undefined
  #guard: ReturnType<typeof setTimeout> | undefined

  constructor(onChange: () => void, onStory: (recording: Recording) => void) {
    this.#onChange = onChange
    this.#onStory = onStory
  }

  start(files: Files): void {
    this.stop()
    this.#files = files
    this.state = { type: 'checking', done: 0, planned: 0, findings: 0 }
    this.#order({ type: 'check', files })
  }

  /** Plays the story of a finding, with the code in which it was found. */
  open(found: CheckedFinding): void {
    this.opening = found
    this.#order({ type: 'story', files: this.#files, finding: found })
  }

  /** Ends it, and forgets what it found. */
  stop(): void {
    this.#end()
    this.state = undefined
    this.#onChange()
  }

  #order(order: Order): void {
    this.#worker?.terminate()
    const worker = new Worker(new URL('worker.js', document.baseURI), { type: 'module' })
    this.#worker = worker
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if (this.#worker === worker) this.#hear(data)
    })
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      if (this.#worker === worker) this.#show({ type: 'problem', problem: { message: event.message } })
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no origin to name.
    worker.postMessage(order)
    this.#watch()
    this.#onChange()
  }

  #hear(report: Report): void {
    this.#watch()
    if (report.type === 'checking' || report.type === 'checked' || report.type === 'problem')
      this.#show(report)
    else if (report.type === 'story') {
      this.#end()
      this.#onStory(report.recording)
      this.#onChange()
    }
  }

  #show(state: CheckState): void {
    if (state.type !== 'checking') this.#end()
    this.state = state
    this.#onChange()
  }

  #end(): void {
    clearTimeout(this.#guard)
    this.#worker?.terminate()
    this.#worker = undefined
    this.opening = undefined
  }

  #watch(): void {
    clearTimeout(this.#guard)
    this.#guard = setTimeout(() => this.#show({ type: 'problem', problem: 'blocked' }), LONGEST_SILENCE)
  }
}
