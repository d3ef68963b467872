import type { Files, Problem, Report } from '../worker/messages.ts'

/** How long a check may say nothing before it counts as blocked, in milliseconds. */
const LONGEST_SILENCE = 30_000

export type CheckState =
  | { readonly type: 'checking'; readonly done: number; readonly planned: number; readonly findings: number }
  | { readonly type: 'checked'; readonly text: string; readonly findings: number; readonly runs: number }
  | { readonly type: 'problem'; readonly problem: Problem | 'blocked' }

/** Checks an operator in a worker of its own, beside the one that runs it. */
export class CheckSession {
  state: CheckState | undefined
  readonly #onChange: () => void
  #worker: Worker | undefined
  #guard: ReturnType<typeof setTimeout> | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  start(files: Files): void {
    this.stop()
    const worker = new Worker(new URL('worker.js', document.baseURI), { type: 'module' })
    this.#worker = worker
    this.state = { type: 'checking', done: 0, planned: 0, findings: 0 }
    worker.addEventListener('message', ({ data }: MessageEvent<Report>) => {
      if (this.#worker === worker) this.#hear(data)
    })
    worker.addEventListener('error', (event) => {
      event.preventDefault()
      if (this.#worker === worker) this.#show({ type: 'problem', problem: { message: event.message } })
    })
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A worker has no origin to name.
    worker.postMessage({ type: 'check', files })
    this.#watch()
    this.#onChange()
  }

  /** Ends it, and forgets what it found. */
  stop(): void {
    clearTimeout(this.#guard)
    this.#worker?.terminate()
    this.#worker = undefined
    this.state = undefined
    this.#onChange()
  }

  #hear(report: Report): void {
    this.#watch()
    if (report.type === 'checking' || report.type === 'checked' || report.type === 'problem')
      this.#show(report)
  }

  #show(state: CheckState): void {
    if (state.type !== 'checking') {
      clearTimeout(this.#guard)
      this.#worker?.terminate()
      this.#worker = undefined
    }
    this.state = state
    this.#onChange()
  }

  #watch(): void {
    clearTimeout(this.#guard)
    this.#guard = setTimeout(() => this.#show({ type: 'problem', problem: 'blocked' }), LONGEST_SILENCE)
  }
}
