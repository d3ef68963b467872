import { spawn, type ChildProcess } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { constants as os } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Clock } from '@homeostat/api'
import type { OutputWriter } from '../images/index.ts'
import { atMost, holdClock } from './hold-clock.ts'
import type { ProcessGuard } from './process-guard.ts'
import { exitWith, startError, type Exit, type Run } from './run.ts'

/** What a process gets. There is no shell: `argv` reaches the program as it is. */
export interface ProcessOptions {
  readonly argv: readonly [string, ...string[]]
  /** What failures call the program, where its name may have come from a Secret. Default: the first of `argv`. */
  readonly shown?: string | undefined
  /** The whole environment, but for the guard's mark: nothing of this process's own is added. */
  readonly env: Readonly<Record<string, string>>
  /** The folder that it starts in. */
  readonly folder: string
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  readonly clock: Clock
  readonly guard: ProcessGuard
}

/** How long output may go on, in real time, after the process and its group are gone. */
const OUTPUT_PATIENCE = 1_000

/**
 * Runs a container as a process of this machine, the leader of a process group of its own. When it ends,
 * whatever it left in its group ends too, as everything in a container does.
 */
export function runProcess(options: ProcessOptions): Run {
  const [name, ...args] = options.argv
  const program = findProgram(name, options.folder)
  if (program === undefined) {
    const message = `exec: ${JSON.stringify(options.shown ?? name)}: executable file not found in $PATH`
    return { exited: Promise.resolve(startError(message)), terminate() {}, kill() {} }
  }
  const unfit = unfitFor(options)
  if (unfit !== undefined) {
    return { exited: Promise.resolve(startError(unfit)), terminate() {}, kill() {} }
  }
  let child: ChildProcess
  try {
    child = spawn(program, args, {
      argv0: name,
      cwd: options.folder,
      env: { ...options.env, [options.guard.mark.name]: options.guard.mark.value },
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    // More arguments than the system takes.
    const message = error instanceof Error ? error.message : String(error)
    return { exited: Promise.resolve(startError(message)), terminate() {}, kill() {} }
  }
  const group = child.pid
  if (group !== undefined) options.guard.add(group)
  const ended = watch(child, options)
  holdClock(options.clock, `the process ${name}`, ended)
  return {
    exited: ended,
    terminate: () => {
      signalGroup(group, 'SIGTERM')
      holdClock(options.clock, `the end of the process ${name}`, ended)
    },
    kill: () => {
      signalGroup(group, 'SIGKILL')
      holdClock(options.clock, `the end of the process ${name}`, ended)
    },
  }
}

/** Why no process can get these arguments and variables. Their values may be secrets, so it names none. */
function unfitFor({ argv, env }: ProcessOptions): string | undefined {
  if (argv.some((word) => word.includes('\0'))) return 'an argument has a NUL byte'
  const variable = Object.keys(env).find((name) => name.includes('\0') || env[name]?.includes('\0'))
  return variable === undefined ? undefined : `the variable ${JSON.stringify(variable)} has a NUL byte`
}

async function watch(child: ChildProcess, options: ProcessOptions): Promise<Exit> {
  child.stdout?.on('data', (data: Buffer) => options.stdout.write(data))
  child.stderr?.on('data', (data: Buffer) => options.stderr.write(data))
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const exit = await new Promise<Exit>((resolve) => {
    child.once('error', (error) => resolve(startError(error.message)))
    child.once('exit', (code, signal) => {
      const number = signal === null ? undefined : os.signals[signal]
      resolve(exitWith(code ?? 128 + (number ?? 0), number))
    })
  })
  if (child.pid !== undefined) {
    signalGroup(child.pid, 'SIGKILL')
    options.guard.remove(child.pid)
    await atMost(closed, OUTPUT_PATIENCE)
  }
  child.stdout?.destroy()
  child.stderr?.destroy()
  return exit
}

function signalGroup(group: number | undefined, signal: NodeJS.Signals): void {
  if (group === undefined) return
  try {
    process.kill(-group, signal)
  } catch {
    // Gone already.
  }
}

/**
 * The program for a name, by this machine's own PATH: a PATH that a Pod sets must not change which
 * program an allowed name is. A name with a slash is a path, relative to the folder.
 */
export function findProgram(name: string, folder: string): string | undefined {
  if (name === '' || name.includes('\0')) return undefined
  if (name.includes('/')) return isProgram(resolve(folder, name)) ? resolve(folder, name) : undefined
  const folders = (process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin').split(delimiter).filter(Boolean)
  return folders.map((folder) => join(folder, name)).find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
