import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HomeostatError } from '@homeostat/api'

/**
 * Processes that belong together, with a temporary folder of their own that holds their files and logs.
 * They end with `stop()`, in the reverse of the order in which they started; a guard ends them when this
 * process goes without it, even by SIGKILL.
 */
export class ProcessGroup implements AsyncDisposable {
  readonly directory: string
  #guard: ChildProcess
  #members: { name: string; child: ChildProcess; log: string }[] = []
  #stopped: Promise<void> | undefined

  private constructor(directory: string, guard: ChildProcess) {
    this.directory = directory
    this.#guard = guard
    this.#tellGuard({ directory })
  }

  static async create(): Promise<ProcessGroup> {
    const directory = await mkdtemp(join(tmpdir(), 'homeostat-kubernetes-'))
    const guard = spawn(process.execPath, [fileURLToPath(new URL('guard.mjs', import.meta.url))], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    })
    guard.unref()
    return new ProcessGroup(directory, guard)
  }

  /** Starts a program. What it writes goes to a log in the folder, which {@link logTail} reads. */
  start(name: string, file: string, args: readonly string[]): void {
    const log = join(this.directory, `${name}.log`)
    const output = createWriteStream(log, { flags: 'a' })
    const child = spawn(file, args, { cwd: this.directory, stdio: ['ignore', 'pipe', 'pipe'] })
    child.stdout.pipe(output, { end: false })
    child.stderr.pipe(output, { end: false })
    child.on('error', (error) => output.write(`${error.message}\n`))
    child.on('close', () => output.end())
    if (child.pid !== undefined) {
      const pid = child.pid
      this.#tellGuard({ started: pid })
      child.on('exit', () => this.#tellGuard({ ended: pid }))
    }
    this.#members.push({ name, child, log })
  }

  /** The processes that were started. */
  get pids(): number[] {
    return this.#members.flatMap(({ child }) => child.pid ?? [])
  }

  /** Throws `KUBERNETES_ENDED` with the last lines of its log when one of the processes is no longer running. */
  async expectRunning(): Promise<void> {
    for (const { name, child } of this.#members) {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) continue
      throw new HomeostatError(
        'KUBERNETES_ENDED',
        `${name} ended ${child.signalCode ? `by ${child.signalCode}` : `with code ${child.exitCode ?? 'unknown'}`} while it should run. ` +
          `The end of its log:\n${await this.logTail(name)}`,
      )
    }
  }

  /** The last lines that a process has written. */
  async logTail(name: string, lines = 15): Promise<string> {
    const member = this.#members.find((member) => member.name === name)
    const text = member ? await readFile(member.log, 'utf8').catch(() => '') : ''
    return text.trimEnd().split('\n').slice(-lines).join('\n')
  }

  /** Ends one process at once, as a failure would. It can be started again under its name. */
  async kill(name: string): Promise<void> {
    const index = this.#members.findIndex((member) => member.name === name)
    const [member] = index < 0 ? [] : this.#members.splice(index, 1)
    if (member) await end(member.child)
  }

  /** Ends the processes, the last one first, and removes the folder. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop()
    return this.#stopped
  }

  async #stop(): Promise<void> {
    // Nothing here outlives the folder, so there is nothing to end with grace.
    for (const { child } of this.#members.toReversed()) await end(child)
    await rm(this.directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    if (this.#guard.exitCode !== null || this.#guard.signalCode !== null) return
    const guardEnded = once(this.#guard, 'exit')
    // Only this line waits for the guard: without it a script that has nothing else to do would end first.
    this.#guard.ref()
    this.#guard.stdin?.end()
    await guardEnded
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #tellGuard(fact: { directory?: string; started?: number; ended?: number }): void {
    if (this.#guard.stdin?.writable) this.#guard.stdin.write(`${JSON.stringify(fact)}\n`)
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
