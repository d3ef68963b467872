import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants as os } from 'node:os'
import type { Readable } from 'node:stream'
import { type Clock, atMost, holdClock } from '@homeostat/api'
import { findProgram, type OutputWriter } from '../../images/index.ts'
import {
  childOf,
  enterCgroup,
  familyOf,
  withoutLoaderVariables,
  type Cgroup,
  type PodNamespace,
  type ProcessGuard,
} from '../separation/index.ts'
import { exitWith, runOf, startError, type Exit, type Run } from './run.ts'

/** Options of a process. There is no shell: `argv` reaches the program unchanged. */
export interface ProcessOptions {
  readonly argv: readonly [string, ...string[]]
  /** The program's name in failures, where its real name may be from a Secret. Default: the first of `argv`. */
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
  /** The namespaces that it runs in. Default: those of this process. */
  readonly namespace?: PodNamespace | undefined
  /** The control group that limits it. Default: none. */
  readonly cgroup?: Cgroup | undefined
  /** Whether the control group, with all of its processes, ends with it. Default: true. */
  readonly endsCgroup?: boolean | undefined
}

/** How long to read output, in real time, after the process and its group have ended. */
const OUTPUT_TIMEOUT = 1_000

/**
 * Runs a container as a process of this machine, the leader of its own process group. When it ends, all processes that
 * it started end too, as in a container.
 */
export function runProcess(options: ProcessOptions): Run {
  const run = start(options)
  if (run.notStarted && options.endsCgroup !== false) void options.cgroup?.end()
  return run
}

function start(options: ProcessOptions): Run {
  const [name, ...args] = options.argv
  const program = findProgram(name, options.folder)
  if (program === undefined) {
    const shown = JSON.stringify(options.shown ?? name)
    return runOf(startError(`exec: ${shown}: executable file not found in $PATH`))
  }
  const unfit = unfitFor(options)
  if (unfit !== undefined) return runOf(startError(unfit))
  const { guard, namespace, cgroup } = options
  const plain = { program, args, env: { ...options.env, [guard.mark.name]: guard.mark.value } }
  const own = namespace || cgroup ? withoutLoaderVariables(plain) : plain
  const command = namespace?.enter(own.program, own.args, options.folder) ?? { ...own, asChild: false }
  const entering = cgroup && enterCgroup(cgroup, command, own.env)
  const wrapped = entering ?? guard.wrap(command.program, command.args)
  let child: ChildProcess
  try {
    child = spawn(wrapped.program, wrapped.args, {
      cwd: options.folder,
      env: own.env,
      detached: true,
      stdio: [options.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    // Such as more arguments than the system accepts.
    return runOf(startError(error instanceof Error ? error.message : String(error)))
  }
  const group = child.pid
  if (group !== undefined) {
    guard.add(group)
    try {
      entering?.started(group)
    } catch {
      // It must not run without its limits.
      signalGroup(group, 'SIGKILL')
    }
  }
  const ended = watch(child, options, 'mark' in wrapped ? wrapped.mark : undefined)
  holdClock(options.clock, `the process ${name}`, ended)
  return {
    exited: ended,
    processes: () => cgroup?.processes() ?? (group === undefined ? [] : familyOf(group)),
    terminate: () => {
      signalProgram(group, 'SIGTERM', command.asChild)
      holdClock(options.clock, `the end of the process ${name}`, ended)
    },
    kill: () => {
      signalProgram(group, 'SIGKILL', command.asChild)
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
  }
  const { cgroup, endsCgroup = true } = options
  const outOfMemory = endsCgroup && (cgroup?.outOfMemory() ?? 0) > 0
  if (endsCgroup) await cgroup?.end()
  if (child.pid !== undefined) await atMost(closed, OUTPUT_TIMEOUT)
  child.stdin?.destroy()
  child.stdout?.destroy()
  child.stderr?.destroy()
  return outOfMemory ? { ...exit, reason: 'OOMKilled' } : exit
}

/** Reads no faster than the writer accepts the output. */
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
    // The writer has ended, or the process no longer reads.
  }
  stdin.end()
}

/** Signals the process group of the program. The program may be a child of the process that was started. */
function signalProgram(started: number | undefined, signal: NodeJS.Signals, asChild = false): void {
  const child = asChild && started !== undefined ? childOf(started) : undefined
  if (child === undefined) signalGroup(started, signal)
  // For a moment it is not yet the leader of its own group.
  else if (!signalGroup(child, signal)) sendSignal(child, signal)
}

/** Whether the group exists. */
function signalGroup(group: number | undefined, signal: NodeJS.Signals): boolean {
  return group !== undefined && sendSignal(-group, signal)
}

function sendSignal(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal)
    return true
  } catch {
    // Gone already.
    return false
  }
}
