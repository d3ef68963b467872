import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { HomeostatError, SystemClock, type Clock, type Timer } from '@homeostat/api'
import type { CheckOptions } from '../options/index.ts'
import type { Confirmation, PlanSummary, TrialHost } from './trial-host.ts'
import type { ChunkResult } from './trial-runner.ts'

/** The data with which a thread starts. */
export interface ThreadData {
  /** The URL of the module whose default export is the operator. */
  readonly module: string
  readonly options: Pick<
    CheckOptions,
    'only' | 'seed' | 'combinations' | 'trials' | 'keeps' | 'varies' | 'final' | 'rights'
  >
}

/** A request to a thread. */
export interface ThreadOrder {
  readonly id: number
  readonly task: keyof TrialHost
  readonly input: number
}

/**
 * A message of a thread: a result, an error, the trial that it plays now, that it begins to load the operator, or
 * that it is alive.
 */
export type ThreadMessage =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly problem: { readonly code: string; readonly message: string } }
  | { readonly trial: number }
  | { readonly loading: true }
  | { readonly alive: true }

interface Waiting {
  readonly resolve: (result: any) => void
  readonly reject: (error: unknown) => void
}

/** How often a thread reports that it is alive, in milliseconds of real time. */
export const HEARTBEAT = 1_000
/** How long a thread may take in milliseconds: much longer than it needs, since a machine may be busy. */
export interface ThreadLimits {
  /** To load the modules of the checker. */
  readonly start: number
  /** To load the operator. */
  readonly load: number
  /** To be silent before it counts as blocked. */
  readonly silence: number
}

const LIMITS: ThreadLimits = { start: 120_000, load: 60_000, silence: 30_000 }
/** More than the default, since trials create many short-lived objects. */
const YOUNG_GENERATION_MB = 192

/** Plays trials in another thread, so that an operator that blocks its thread does not block the check. */
export class TrialThread implements TrialHost, AsyncDisposable {
  readonly #worker: Worker
  readonly #clock: Clock = new SystemClock()
  readonly #waiting = new Map<number, Waiting>()
  #count = 0
  #watchdog: Timer | undefined
  #trial: number | undefined
  readonly #limits: ThreadLimits
  #phase: keyof ThreadLimits = 'start'

  constructor(data: ThreadData, limits: ThreadLimits = LIMITS) {
    this.#limits = limits
    // Beside this module, with the same extension: `.ts` in the sources, `.js` in a build.
    const ending = extname(import.meta.filename)
    const file = join(import.meta.dirname, `worker${ending}`)
    // Sources import the sources of the other packages.
    const execArgv = ending === '.ts' ? ['--conditions=source'] : undefined
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB }
    this.#worker = new Worker(file, { workerData: data, stdout: true, execArgv, resourceLimits })
    this.#worker.on('message', (message: ThreadMessage) => this.#take(message))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () =>
      this.#fail(
        new HomeostatError(
          'CHECK_THREAD_ENDED',
          'the operator ended its own process: process.exit or process.abort was called',
        ),
      ),
    )
  }

  plan(): Promise<PlanSummary> {
    return this.#order('plan')
  }

  chunk(index: number): Promise<ChunkResult> {
    return this.#order('chunk', index)
  }

  confirm(number: number): Promise<Confirmation> {
    return this.#order('confirm', number)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#watchdog?.cancel()
    this.#waiting.clear()
    await this.#worker.terminate()
  }

  #order<Result>(task: ThreadOrder['task'], input = 0): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const id = ++this.#count
    this.#waiting.set(id, { resolve, reject })
    this.#worker.postMessage({ id, task, input } satisfies ThreadOrder, [])
    this.#watch()
    return promise
  }

  #take(message: ThreadMessage): void {
    this.#phase = 'loading' in message ? 'load' : 'silence'
    this.#watch()
    if ('loading' in message) return
    if ('alive' in message) return
    if ('trial' in message) {
      this.#trial = message.trial
      return
    }
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if (this.#waiting.size === 0) this.#watchdog?.cancel()
    if ('result' in message) waiting?.resolve(message.result)
    else waiting?.reject(new HomeostatError(message.problem.code, message.problem.message))
  }

  /** Begins to wait for the next message. */
  #watch(): void {
    this.#watchdog?.cancel()
    if (this.#waiting.size === 0) return
    const limit = this.#limits[this.#phase]
    this.#watchdog = this.#clock.schedule(limit, () => {
      this.#fail(new HomeostatError('CHECK_BLOCKED', this.#blocked(limit)))
      void this.#worker.terminate()
    })
  }

  #blocked(limit: number): string {
    const seconds = limit / 1_000
    if (this.#phase === 'start')
      return `the checker did not start within ${seconds} s: the machine is too busy`
    if (this.#phase === 'load') {
      return `the operator's module was not loaded within ${seconds} s. Look at the top level of its files for a loop that does not end, a synchronous call that waits, or an await that never ends.`
    }
    const where = this.#trial === undefined ? 'while its samples were reconciled' : `in run ${this.#trial}`
    const replay =
      this.#trial === undefined ? '' : ` homeostat check --replay=${this.#trial} plays that run alone.`
    return `the operator blocks the event loop: its thread did nothing else for ${seconds} s ${where}. Look for a loop that does not end, or a synchronous call that waits.${replay}`
  }

  #fail(error: unknown): void {
    this.#watchdog?.cancel()
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }
}
