import { HomeostatError, type Clock } from '@homeostat/api'
import type { ApiState, Disturbance } from '@homeostat/dashboard'
import { ApiError, type ActivityEvent, type Client } from 'homeostat'
import { deleteChild } from './delete-child.ts'
import { Installer } from './install.ts'
import { OperatorProcess, type OperatorDescription } from './operator/index.ts'

/** The parts and settings of a session. */
export interface SessionOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The module that exports the operator. Default: operator.ts in the folder. */
  readonly file: string | undefined
  readonly kubeconfig: string | undefined
  readonly context: string | undefined
  readonly samples: boolean
  readonly client: Client
  readonly clock: Clock
  /** The page of the session. Default: none. */
  readonly page?: SessionPage | undefined
  /** Prints lines about a subject: `dev`, `keys`, `loop`, `log`, `types`. */
  readonly say: (subject: Subject, line: string, tone?: 'good' | 'bad') => void
}

/** Shows what the operator does. */
export interface SessionPage {
  operatorStarted(operator: OperatorDescription): void
  operatorEnded(): void
  record(event: ActivityEvent): void
  /** A user paused or resumed it, or changed how the API answers it. */
  disturbed(disturbance: Disturbance): void
  /** Opens it in a browser. */
  open(): void
}

export type Subject = 'dev' | 'keys' | 'loop' | 'log' | 'types'

/** The keys, and what each does. */
export const KEYS: readonly { readonly key: string; readonly word: string; readonly meaning: string }[] = [
  { key: 'p', word: 'pause', meaning: 'pauses or resumes the operator' },
  { key: 's', word: 'step', meaning: 'runs one reconcile of a paused operator' },
  { key: 'c', word: 'crash', meaning: 'crashes the operator, and starts it again' },
  { key: 'r', word: 'restart', meaning: 'restarts the operator' },
  { key: 'd', word: 'delete', meaning: 'deletes an object that the operator made' },
  { key: 'o', word: 'page', meaning: 'opens the page that shows what the operator does' },
  { key: 'q', word: 'quit', meaning: 'ends the operator and the cluster' },
  { key: 'h', word: 'help', meaning: 'prints this' },
]

const API_STATES: Readonly<Record<ApiState, string>> = {
  normal: 'the API answers the operator as usual',
  slow: 'the API answers the operator two seconds late',
  failing: 'the API refuses every second request of the operator',
}

/** Runs the operator of a project on a cluster. A new version replaces the last one when it is loaded and the cluster has accepted its kinds. */
export class DevSession implements AsyncDisposable {
  readonly #options: SessionOptions
  readonly #installer: Installer
  /** All processes that have not exited yet. */
  readonly #processes = new Set<OperatorProcess>()
  #spare: OperatorProcess | undefined
  #loading: OperatorProcess | undefined
  #running: OperatorProcess | undefined
  #description: OperatorDescription | undefined
  #isPaused = false
  #api: ApiState = 'normal'
  #isClosed = false
  /** Ends when the last restart is done: restarts run one after the other. */
  #turn: Promise<void> = Promise.resolve()
  #asked = 0

  constructor(options: SessionOptions) {
    this.#options = options
    this.#installer = new Installer(options.client, { samples: options.samples })
    this.#spare = this.#prepare()
  }

  /** Loads the operator as it is now, and replaces the running one. While one restart is under way, only the last of further calls takes effect. */
  restart(why: string): Promise<void> {
    const asked = ++this.#asked
    const started = this.#options.clock.now()
    const next = async (last: Promise<void>): Promise<void> => {
      await last
      if (asked === this.#asked && !this.#isClosed) await this.#replace(why, started)
    }
    this.#turn = next(this.#turn)
    return this.#turn
  }

  /** Runs the command of a key. */
  async press(key: string): Promise<void> {
    const { say, client } = this.#options
    if (key === 'p') {
      this.#isPaused = !this.#isPaused
      if (this.#running) this.#running.order(this.#isPaused ? 'pause' : 'resume')
      else this.#tellGate(this.#isPaused)
      this.#tellDisturbance()
    } else if (key === 's') {
      if (this.#isPaused) this.#running?.order('step')
      else say('dev', 'the operator is not paused: press p first')
    } else if (key === 'o') this.#options.page?.open()
    else if (key === 'c') {
      await this.#running?.kill()
      this.#running = undefined
      this.#options.page?.operatorEnded()
      say('dev', 'crashed')
      await this.restart('crash')
    } else if (key === 'r') await this.restart('r was pressed')
    else if (key === 'd') {
      const deleted = this.#description && (await deleteChild(client, this.#description))
      say('dev', deleted === undefined ? 'there is no object that the operator made' : `deleted ${deleted}`)
    } else if (key === 'h' || key === '?') {
      for (const { key: letter, meaning } of KEYS) say('dev', `  ${letter} ${meaning}`)
    }
  }

  /** Changes how the API answers the operator, also its next versions. */
  disturbApi(state: ApiState): void {
    this.#api = state
    this.#running?.disturbApi(state)
    this.#options.say('dev', API_STATES[state])
    this.#tellDisturbance()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    await Promise.all([this.#spare?.kill(), this.#loading?.kill(), this.#turn])
    await this.#running?.stop()
    await this.#spare?.kill()
    await Promise.all([...this.#processes].map(({ exited }) => exited))
  }

  async #replace(why: string, started: number): Promise<void> {
    const { cwd, file, clock, say } = this.#options
    const next = this.#spare ?? this.#prepare()
    this.#spare = undefined
    this.#loading = next
    try {
      const description = await next.load(cwd, file, this.#listener(next))
      for (const line of await this.#installer.applyDefinitions(description)) {
        say('dev', line, line.startsWith('warning') ? 'bad' : undefined)
      }
      await this.#running?.stop()
      this.#options.page?.operatorEnded()
      this.#loading = undefined
      this.#running = next
      this.#description = description
      const { kubeconfig, context, page } = this.#options
      page?.operatorStarted(description)
      if (await next.start({ kubeconfig, context, paused: this.#isPaused, api: this.#api })) {
        say('dev', `${description.name} runs (${why}), ${Math.round(clock.now() - started)} ms`, 'good')
      }
      for (const line of await this.#installer.applySamples(description)) say('dev', line)
    } catch (error) {
      this.#loading = undefined
      if (this.#isClosed) return
      if (next !== this.#running) await next.kill()
      say('dev', wordsOf(error), 'bad')
      const last = this.#running ? 'The last version keeps running. ' : ''
      say('dev', `${last}Waiting for the next save.`)
    }
    // Prepared only now: its start would slow down the operator that has just been started.
    if (!this.#isClosed) this.#spare = this.#prepare()
  }

  #listener(operator: OperatorProcess) {
    const { say, page } = this.#options
    return {
      active: (events: readonly ActivityEvent[]) => {
        // Ignores late reports of a process that has ended.
        if (operator === this.#running) for (const event of events) page?.record(event)
      },
      reconciled: (lines: readonly string[], failed: boolean) => {
        for (const [index, line] of lines.entries()) {
          say('loop', index === 0 ? line : `  ${line}`, failed ? 'bad' : undefined)
        }
      },
      gate: (isClosed: boolean) => this.#tellGate(isClosed),
      held: (what: string) => say('loop', `waits: ${what}`),
      printed: (line: string) => say('log', line),
      ended: (message: string | undefined) => {
        if (operator !== this.#running) return
        this.#running = undefined
        page?.operatorEnded()
        say('dev', `the operator ended${message === undefined ? '' : `: ${message}`}`, 'bad')
        say('dev', 'Waiting for the next save.')
      },
    }
  }

  #tellGate(isClosed: boolean): void {
    this.#options.say('dev', isClosed ? 'paused: reconciles wait. s runs one, p resumes' : 'resumed')
  }

  #tellDisturbance(): void {
    this.#options.page?.disturbed({ isPaused: this.#isPaused, api: this.#api })
  }

  #prepare(): OperatorProcess {
    const { cwd, env, clock } = this.#options
    const prepared = OperatorProcess.prepare(cwd, env, clock, this.#options)
    this.#processes.add(prepared)
    void prepared.exited.then(() => this.#processes.delete(prepared))
    return prepared
  }
}

/** The message of an error, with the causes that a server names, such as a schema that is not structural. */
function wordsOf(error: unknown): string {
  if (error instanceof ApiError || error instanceof HomeostatError) return error.message
  if (error instanceof Error) return `${error.name}: ${error.message}`
  return String(error)
}
