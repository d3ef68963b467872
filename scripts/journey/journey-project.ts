import { execFile, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { followOutput } from '../../test/program-output.ts'

const execute = promisify(execFile)
/** How long an effect may take, on a machine that does other work. */
const LONGEST = 180_000

/** A folder in which a new user works, with the programs that the user calls there. */
export class JourneyProject {
  readonly folder: string
  readonly #env: NodeJS.ProcessEnv
  readonly #kubectl: string

  constructor(folder: string, env: NodeJS.ProcessEnv, kubectl: string) {
    this.folder = folder
    this.#env = env
    this.#kubectl = kubectl
  }

  /** Runs a program to its end, and gives what it printed. Throws with its output where it fails. */
  async run(program: string, ...args: string[]): Promise<string> {
    try {
      const { stdout } = await execute(program, args, { cwd: this.folder, env: this.#env })
      return stdout
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string }
      throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error })
    }
  }

  /** Starts a program that runs until it is told to end. */
  start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { ...this.#env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
      // A group of its own, which a signal reaches as Ctrl-C in a terminal does: npm and the program that it runs.
      detached: true,
    })
    child.stdin.on('error', () => undefined)
    const signal = (name: NodeJS.Signals): void => {
      if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
        process.kill(-child.pid, name)
    }
    return {
      ...followOutput(child, [program, ...args].join(' ')),
      press: (keys: string) => child.stdin.write(keys),
      interrupt: () => signal('SIGINT'),
      kill: () => signal('SIGKILL'),
    }
  }

  /** Runs kubectl with a kubeconfig of this folder. */
  kubectl(kubeconfig: string, line: string): Promise<string> {
    return this.run(this.#kubectl, '--kubeconfig', join(this.folder, kubeconfig), ...line.split(' '))
  }

  /** Waits until kubectl prints what the pattern describes. */
  async until(kubeconfig: string, line: string, pattern: RegExp): Promise<void> {
    const started = performance.now()
    for (;;) {
      const printed = await this.kubectl(kubeconfig, line).catch((error: Error) => error.message)
      if (pattern.test(printed)) return
      if (performance.now() - started > LONGEST) {
        throw new Error(`kubectl ${line} does not print ${String(pattern)}, but:\n${printed}`)
      }
      await sleep(50)
    }
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text)
  }

  /** Changes a text of a file, which must have it. */
  edit(name: string, from: string, to: string): void {
    const text = readFileSync(join(this.folder, name), 'utf8')
    if (!text.includes(from)) throw new Error(`${name} does not contain ${from}`)
    this.write(name, text.replace(from, to))
  }
}
