import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { constants, getPriority, setPriority } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'

/** The compiler of the project, which checks it at each save. */
export class TypeCheck implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #exited: Promise<void>

  private constructor(program: string, cwd: string, say: (line: string) => void) {
    this.#child = spawn(
      process.execPath,
      [program, '--noEmit', '--watch', '--preserveWatchOutput', '--pretty', 'false'],
      { cwd, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    yieldToOthers(this.#child.pid)
    this.#exited = new Promise((resolve) => {
      this.#child.once('error', () => resolve())
      this.#child.once('close', () => resolve())
    })
    if (this.#child.stdout) createInterface(this.#child.stdout).on('line', (line) => tell(line, say))
  }

  /** Starts the compiler if the project has one and a tsconfig.json; undefined otherwise. */
  static start(cwd: string, say: (line: string) => void): TypeCheck | undefined {
    const program = compilerOf(cwd)
    return program !== undefined && existsSync(join(cwd, 'tsconfig.json'))
      ? new TypeCheck(program, cwd, say)
      : undefined
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill('SIGKILL')
    await this.#exited
  }
}

/** Gives a process a low priority: the compiler uses all cores at each save, while the operator restarts. */
function yieldToOthers(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // It has ended already, or the system does not allow it. The compiler works all the same.
  }
}

/** Passes on errors, or that there are none, from the output of the compiler. */
function tell(line: string, say: (line: string) => void): void {
  const count = /Found (\d+) errors?/.exec(line)?.[1]
  if (count === '0') say('no errors')
  else if (/\berror TS\d+/.test(line) || /^\s+\S/.test(line)) say(line)
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
