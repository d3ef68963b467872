import { Killed } from './killed.ts'
import { endsProcess } from './signal-names.ts'

const SIGKILL = 9

/** A process of a container: a shell, a subshell or a command. It runs inside of this process of the machine. */
export class ShellProcess {
  readonly pid: number
  readonly parent: number
  readonly startedAt: number
  /** The text that `ps` shows. */
  command: string
  /** Whether ^C at the terminal does not reach it. */
  background = false
  /**
   * Called for a signal before it has its usual effect; `true` suppresses the effect. It is not called for SIGKILL.
   */
  handler: ((signal: number) => boolean) | undefined
  readonly #end = new AbortController()

  constructor(pid: number, parent: number, command: string, startedAt: number) {
    this.pid = pid
    this.parent = parent
    this.command = command
    this.startedAt = startedAt
  }

  /** Aborts with {@link Killed} when the process must end. */
  get signal(): AbortSignal {
    return this.#end.signal
  }

  kill(signal: number): void {
    if (signal !== SIGKILL && this.handler?.(signal)) return
    if (signal === SIGKILL || endsProcess(signal)) this.#end.abort(new Killed(signal))
  }
}
