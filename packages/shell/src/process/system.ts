import type { Clock } from '@homeostat/api'
import type { ShellFiles } from '../files/index.ts'
import type { Connection } from '../host/connection.ts'
import type { ShellRun } from '../host/shell-run.ts'
import { Pace } from './pace.ts'
import { PodResources } from './pod-resources.ts'
import { ShellProcess } from './process.ts'
import { schedulerOf } from './scheduler.ts'

/** The state that all processes of one run share: the container's files, the clock, the network, and the table of processes. */
export class System implements Disposable {
  readonly files: ShellFiles
  readonly clock: Clock
  readonly hostname: string
  readonly pace: Pace
  /** The resources that the run shares with the other runs of its Pod. */
  readonly pod: PodResources
  /** The terminal's size, where there is one. */
  size: { readonly width: number; readonly height: number } | undefined
  readonly #run: ShellRun
  readonly #processes = new Map<number, ShellProcess>()
  #lastPid: number

  constructor(run: ShellRun) {
    this.#run = run
    this.clock = run.clock
    this.hostname = run.hostname
    this.pod = (
      run.limitGroup === undefined ? new PodResources() : schedulerOf(run.clock).pod(run.limitGroup)
    ).hold()
    this.files = run.files.withLimit(this.pod)
    this.pace = new Pace(run.clock, this.pod)
    this.#lastPid = run.init ? 6 : 0
  }

  connect(host: string, port: number): Promise<Connection> {
    return this.#run.connect(host, port)
  }

  get processes(): ShellProcess[] {
    return [...this.#processes.values()]
  }

  /** Registers a process that starts now; fails where the Pod has too many. The caller reports its end. */
  start(command: string, parent: number): ShellProcess {
    this.pod.fork()
    const process = new ShellProcess(++this.#lastPid, parent, command, this.clock.monotonic())
    process.background = this.#processes.get(parent)?.background ?? false
    this.#processes.set(process.pid, process)
    return process
  }

  end(process: ShellProcess): void {
    if (this.#processes.delete(process.pid)) this.pod.processes--
  }

  /** Sends a signal to a process; false where there is none. */
  kill(pid: number, signal: number): boolean {
    const process = this.#processes.get(pid)
    if (process) process.kill(signal)
    else if (pid === 1 && this.#run.init) this.#run.init.kill(signal)
    else return false
    return true
  }

  /** All descendants of a process. */
  below(pid: number): ShellProcess[] {
    const children = this.processes.filter(({ parent }) => parent === pid)
    return children.flatMap((child) => [child, ...this.below(child.pid)])
  }

  /** Whether there is such a process. */
  has(pid: number): boolean {
    return this.#processes.has(pid) || (pid === 1 && this.#run.init !== undefined)
  }

  /** Frees the memory and processes of the run. */
  [Symbol.dispose](): void {
    for (const process of this.processes) this.end(process)
    this.pace[Symbol.dispose]()
    this.pod.release()
  }
}
