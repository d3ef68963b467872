import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants as os } from 'node:os'
import type { Readable } from 'node:stream'
import type { Clock } from '@homeostat/api'
import type { OutputWriter } from '../images/index.ts'
import { findProgram } from './find-program.ts'
import { atMost, holdClock } from '../network/hold-clock.ts'
import type { HostsMount } from './hosts-mounts.ts'
import type { ProcessGuard } from './process-guard.ts'
import { exitWith, runOf, startError, type Exit, type Run } from './run.ts'

/** What a process gets. There is no shell: `argv` reaches the program as it is. */
export interface ProcessOptions {
  readonly argv: readonly [string, ...string[]]
  /** What failures call the program, where its name may have come from a Secret. Default: the first of `argv`. */
  readonly shown?: string | undefined
  /** The whole environment, but for the guard's mark: nothing of this process's own is added. */
  readonly env: Readonly<Record<string, string>>
  /** The folder that it starts in. */
  readonly folder: string
  /** Default: nothing to read. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined
  readonly stdout: OutputWriter
  readonly stderr: OutputWriter
  readonly clock: Clock
  readonly guard: ProcessGuard
  /** The names that it sees. Default: those of the machine. */
  readonly names?: HostsMount | undefined
}

/** How long output may go on, in real time, after the process and its group are gone. */
const OUTPUT_PATIENCE = 1_000

/**
 * Runs a container as a process of this machine, the leader of a process group of its own. When it ends,
 * whatever it left behind ends too, as everything in a container does.
 */
export function runProcess(options: ProcessOptions): Run {
  const [name, ...args] = options.argv
  const program = findProgram(name, options.folder)
  if (program === undefined) {
    const shown = JSON.stringify(options.shown ?? name)
    return runOf(startError(`exec: ${shown}: executable file not found in $PATH`))
  }
  const unfit = unfitFor(options)
  if (unfit !== undefined) return runOf(startError(unfit))
  const command = options.names?.enter(program, args, options.folder) ?? { program, args }
  const wrapped = options.guard.wrap(command.program, command.args)
  let child: ChildProcess
  try {
    child = spawn(wrapped.program, wrapped.args, {
      cwd: options.folder,
      env: { ...options.env, [options.guard.mark.name]: options.guard.mark.value },
      detached: true,
      stdio: [options.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    // More arguments than the system takes.
    return runOf(startError(error instanceof Error ? error.message : String(error)))
  }
  const group = child.pid
  if (group !== undefined) options.guard.add(group)
  const ended = watch(child, options, wrapped.mark)
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

async function watch(child: ChildProcess, options: ProcessOptions, mark: string | undefined): Promise<Exit> {
  forward(child.stdout, options.stdout)
  forward(child.stderr, options.stderr)
  if (options.stdin) void feed(child, options.stdin)
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
    if (mark !== undefined) await options.guard.endStrays(mark)
    options.guard.remove(child.pid)
    await atMost(closed, OUTPUT_PATIENCE)
  }
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.stderr?.destroy()
  return exit
}

/** Reads no faster than the writer takes it. */
function forward(from: Readable | null, to: OutputWriter): void {
  from?.on('data', (data: Buffer) => {
    to.write(data)
    const { ready } = to
    if (!ready) return
    from.pause()
    void ready.then(() => from.resume())
  })
  from?.on('error', () => undefined)
}

async function feed({ stdin }: ChildProcess, from: AsyncIterable<Uint8Array>): Promise<void> {
  if (!stdin) return
  stdin.on('error', () => undefined)
  try {
    for await (const chunk of from) {
      if (!stdin.writable) return
      if (!stdin.write(chunk)) await once(stdin, 'drain')
    }
  } catch {
    // Whoever wrote is gone, or the process reads no more.
  }
  stdin.end()
}

function signalGroup(group: number | undefined, signal: NodeJS.Signals): void {
  if (group === undefined) return
  try {
    process.kill(-group, signal)
  } catch {
    // Gone already.
  }
}
