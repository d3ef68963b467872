import type { Clock } from '@homeostat/api'
import type { ContainerFiles } from '../../files/index.ts'
import type { Connection } from '../../network/connection.ts'
import { ShellFailure } from '../shell-failure.ts'
import type { ShellRun } from '../shell-run.ts'
import { Pace } from './pace.ts'
import { ShellProcess } from './process.ts'

/** How many processes one run may have at once. */
const MOST_PROCESSES = 1_000

/** What all processes of one run share: the container's files, the clock, the network, and each other. */
export class System {
  readonly files: ContainerFiles
  readonly clock: Clock
  readonly hostname: string
  readonly pace: Pace
  /** The terminal's size, where there is one. */
  size: { readonly width: number; readonly height: number } | undefined
  readonly #run: ShellRun
  readonly #processes = new Map<number, ShellProcess>()
  #lastPid: number

  constructor(run: ShellRun) {
    this.#run = run
    this.files = run.files
    this.clock = run.clock
    this.hostname = run.hostname
    this.pace = new Pace(run.clock)
    this.#lastPid = run.init ? 6 : 0
  }

  connect(host: string, port: number): Promise<Connection> {
    return this.#run.connect(host, port)
  }

  get processes(): ShellProcess[] {
    return [...this.#processes.values()]
  }

  /** Registers a process that starts now. Whoever starts it tells when it ends. */
  start(command: string, parent: number): ShellProcess {
    if (this.#processes.size >= MOST_PROCESSES)
      throw new ShellFailure("can't fork: Resource temporarily unavailable")
    const process = new ShellProcess(++this.#lastPid, parent, command, this.clock.monotonic())
    process.background = this.#processes.get(parent)?.background ?? false
    this.#processes.set(process.pid, process)
    return process
  }

  end(process: ShellProcess): void {
    this.#processes.delete(process.pid)
  }

  /** Sends a signal to a process; false where there is none. */
  kill(pid: number, signal: number): boolean {
    const process = this.#processes.get(pid)
    if (process) process.kill(signal)
    else if (pid === 1 && this.#run.init) this.#run.init.kill(signal)
    else return false
    return true
  }

  /** The processes that a process has started, and those that they have. */
  below(pid: number): ShellProcess[] {
    const children = this.processes.filter(({ parent }) => parent === pid)
    return children.flatMap((child) => [child, ...this.below(child.pid)])
  }

  /** Whether there is such a process. */
  has(pid: number): boolean {
    return this.#processes.has(pid) || (pid === 1 && this.#run.init !== undefined)
  }
}
