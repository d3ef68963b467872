import type { Clock } from '@homeostat/api'
import type { CredentialSource, Credentials } from './credential-source.ts'
import type { ExecConfig } from './exec-config.ts'
import { parseExecCredential, type ExecCredential } from './exec-credential.ts'

/** Runs the program and returns what it printed. */
export type RunExec = (config: ExecConfig, options: { clock: Clock; signal: AbortSignal }) => Promise<string>

/** Credentials are renewed this long before they expire, or a tenth of their lifetime where that is less. */
const MARGIN_MILLISECONDS = 30_000
/**
 * If the server refuses credentials that are newer than this, the program is not run again: new credentials would not
 * help.
 */
const FRESH_MILLISECONDS = 10_000

interface Held {
  readonly credentials: Credentials
  /** On the monotonic scale. */
  readonly madeAt: number
  /** In wall time. */
  readonly renewAt: number
}

interface Run {
  readonly outcome: Promise<Credentials>
  readonly abort: AbortController
  waiting: number
}

/**
 * Credentials from a program. They are kept until shortly before they expire or until the server refuses them. The
 * program runs once for all pending `get` calls, and is killed when all of them have been aborted.
 */
export class ExecSource implements CredentialSource {
  readonly #config: ExecConfig
  readonly #clock: Clock
  readonly #runProgram: RunExec
  #held: Held | undefined
  #run: Run | undefined

  constructor(config: ExecConfig, clock: Clock, run: RunExec) {
    this.#config = config
    this.#clock = clock
    this.#runProgram = run
  }

  get(signal: AbortSignal | undefined): Credentials | Promise<Credentials> {
    if (this.#held && this.#clock.now() < this.#held.renewAt) return this.#held.credentials
    this.#run ??= this.#start()
    return this.#wait(this.#run, signal)
  }

  refused(credentials: Credentials): boolean {
    // Another request may have renewed them already.
    if (this.#held?.credentials !== credentials) return true
    if (this.#clock.monotonic() - this.#held.madeAt < FRESH_MILLISECONDS) return false
    this.#held = undefined
    return true
  }

  close(reason: Error): void {
    this.#run?.abort.abort(reason)
  }

  #start(): Run {
    const abort = new AbortController()
    const run: Run = { outcome: this.#renew(abort.signal), abort, waiting: 0 }
    const over = (): void => {
      if (this.#run === run) this.#run = undefined
    }
    run.outcome.then(over, over)
    return run
  }

  async #renew(signal: AbortSignal): Promise<Credentials> {
    const output = await this.#runProgram(this.#config, { clock: this.#clock, signal })
    const credential = parseExecCredential(this.#config, output)
    const { token, cert, key } = credential
    const credentials = { header: token && `Bearer ${token}`, cert, key }
    const renewAt = renewalOf(credential, this.#clock.now())
    this.#held = { credentials, madeAt: this.#clock.monotonic(), renewAt }
    return credentials
  }

  #wait(run: Run, signal: AbortSignal | undefined): Promise<Credentials> {
    run.waiting++
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        reject(signal?.reason)
        if (--run.waiting > 0 || this.#run !== run) return
        this.#run = undefined
        run.abort.abort(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      const done = (): void => signal?.removeEventListener('abort', giveUp)
      run.outcome.then(resolve, reject).finally(done)
    })
  }
}

function renewalOf({ expires }: ExecCredential, now: number): number {
  if (expires === undefined) return Infinity
  return expires - Math.min(MARGIN_MILLISECONDS, Math.max(0, expires - now) / 10)
}
