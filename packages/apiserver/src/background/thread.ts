import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { failure, type Clock, type Status, type Timer } from '@homeostat/api'
import { type Background, Failure, type Tasks } from '../registry/index.ts'
import type { Release } from '../version/index.ts'
import { errorCode } from '../work/index.ts'

/** How long a request may take, in milliseconds, as in a Kubernetes API server. */
const TIMEOUT = 34_000
/** How many requests may wait for the thread. */
const MOST_WAITING = 100

/** A task for the thread. */
export interface Order {
  readonly id: number
  readonly task: keyof Tasks
  readonly input: unknown
}

/** The answer of the thread: the result, or the Status of a `Failure`, or the message of another error. */
export interface Answer {
  readonly id: number
  readonly result?: unknown
  readonly failure?: Status | undefined
  readonly problem?: string | undefined
}

interface Job extends Order {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * A thread of this process that runs one task after the other. It is started for the first task, and does not keep
 * the process alive while it is idle. It is terminated when a task takes longer than a request may, or needs too much
 * memory.
 */
export class BackgroundThread implements Background {
  #worker: Worker | undefined
  #running: Job | undefined
  #deadline: Timer | undefined
  readonly #clock: Clock
  readonly #release: Release
  readonly #waiting: Job[] = []
  #count = 0
  #closed = false

  /** The thread knows the native kinds of a release. */
  constructor(clock: Clock, release: Release) {
    this.#clock = clock
    this.#release = release
  }

  run<Name extends keyof Tasks>(
    task: Name,
    input: Parameters<Tasks[Name]>[0],
  ): Promise<ReturnType<Tasks[Name]>> {
    if (this.#closed) return Promise.reject(closed())
    if (this.#waiting.length >= MOST_WAITING) {
      return Promise.reject(
        new Failure(failure.tooManyRequests('too many large objects at once, please try again later', 1)),
      )
    }
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#waiting.push({ id: ++this.#count, task, input, resolve, reject })
    this.#next()
    return promise as Promise<ReturnType<Tasks[Name]>>
  }

  close(): void {
    this.#closed = true
    for (const job of this.#waiting.splice(0)) job.reject(closed())
    this.#end(closed())
  }

  #next(): void {
    if (this.#running) return
    const job = this.#waiting.shift()
    if (!job) return
    this.#running = job
    this.#worker ??= this.#start()
    this.#worker.ref()
    this.#deadline = this.#clock.schedule(TIMEOUT, () => this.#end(timedOut()))
    const { id, task, input } = job
    this.#worker.postMessage({ id, task, input } satisfies Order, [])
  }

  #start(): Worker {
    // Beside this module, with the same extension: `.ts` in the sources, `.js` in a build.
    const file = join(import.meta.dirname, `worker${extname(import.meta.filename)}`)
    const worker = new Worker(file, {
      resourceLimits: { maxOldGenerationSizeMb: 1_024 },
      workerData: { release: this.#release },
    })
    worker.on('message', (answer: Answer) => {
      const job = this.#running
      if (worker !== this.#worker || answer.id !== job?.id) return
      this.#finish()
      if (answer.failure) job.reject(new Failure(answer.failure))
      else if (answer.problem !== undefined) job.reject(new Error(answer.problem))
      else job.resolve(answer.result)
      this.#next()
    })
    worker.on('error', (error) => {
      if (worker !== this.#worker) return
      this.#end(errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? timedOut() : error)
    })
    return worker
  }

  #finish(): void {
    this.#deadline?.cancel()
    this.#running = undefined
    this.#worker?.unref()
  }

  /** Terminates the thread and its task, and starts another one if tasks wait. */
  #end(error: Error): void {
    const job = this.#running
    void this.#worker?.terminate()
    this.#worker = undefined
    this.#finish()
    job?.reject(error)
    this.#next()
  }
}

function closed(): Failure {
  return new Failure(failure.serviceUnavailable('the API server is closed'))
}

function timedOut(): Failure {
  const message = 'request did not complete within requested timeout - context deadline exceeded'
  return new Failure(failure.timeout(message, 0))
}
