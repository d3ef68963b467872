import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Clock, Timer } from '@homeostat/api'
import { TypeReport } from './type-report.ts'

/** The longest pause, in milliseconds: types are checked also while an operator takes long to load. */
const LONGEST_PAUSE = 1_000

/** The compiler of the project, which checks it at each save. */
export class TypeCheck implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #clock: Clock
  readonly #exited: Promise<void>
  #pause: Timer | undefined

  private constructor(program: string, cwd: string, clock: Clock, say: (line: string) => void) {
    this.#clock = clock
    this.#child = spawn(
      process.execPath,
      [program, '--noEmit', '--watch', '--preserveWatchOutput', '--pretty', 'false'],
      { cwd, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', () => resolve())
      this.#child.once('close', () => resolve())
    })
    const report = new TypeReport(say)
    if (this.#child.stdout) {
      createInterface(this.#child.stdout)
        .on('line', (line) => report.addLine(line))
        .once('close', () => report.end())
    }
  }

  /** Starts the compiler if the project has one and a tsconfig.json; undefined otherwise. */
  static start(cwd: string, clock: Clock, say: (line: string) => void): TypeCheck | undefined {
    const program = compilerOf(cwd)
    return program !== undefined && existsSync(join(cwd, 'tsconfig.json'))
      ? new TypeCheck(program, cwd, clock, say)
      : undefined
  }

  /** Stops the compiler until `resume` is called, at most for a second. It uses all cores at a save, and the operator restarts at the same moment. */
  pause(): void {
    // Windows cannot stop a process.
    if (process.platform === 'win32') return
    this.#pause?.cancel()
    this.#pause = this.#clock.schedule(LONGEST_PAUSE, () => this.resume())
    this.#child.kill('SIGSTOP')
  }

  resume(): void {
    if (!this.#pause) return
    this.#pause.cancel()
    this.#pause = undefined
    this.#child.kill('SIGCONT')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#pause?.cancel()
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}

function compilerOf(cwd: string): string | undefined {
  try {
    const manifest = createRequire(join(cwd, 'package.json')).resolve('typescript/package.json')
    const { bin } = JSON.parse(readFileSync(manifest, 'utf8')) as { bin?: { tsc?: string } }
    const program = join(dirname(manifest), bin?.tsc ?? 'bin/tsc')
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}
