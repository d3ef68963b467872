import type { Interpreter } from '../state/interpreter.ts'
import type { Job } from '../state/jobs.ts'
import { unlessAborted } from '../process/killed.ts'
import { signalName, signalNames, signalNumber } from '../process/signal-names.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import type { Builtin } from './builtin.ts'

const wait: Builtin = async (shell, args) => {
  if (args.length === 0) {
    for (const job of shell.jobs.all) {
      const signal = await waitFor(shell, job)
      if (signal !== undefined) return 128 + signal
      shell.jobs.forget(job)
    }
    return 0
  }
  let status = 0
  for (const arg of args) {
    const job = shell.jobs.find(arg)
    if (!job) {
      status = 127
      continue
    }
    const signal = await waitFor(shell, job)
    if (signal !== undefined) return 128 + signal
    status = await job.ended
  }
  return status
}

/** Waits for a job to end. Returns a signal that has a trap and arrives first. */
async function waitFor(shell: Interpreter, job: Job): Promise<number | undefined> {
  if (shell.traps.pending) return shell.traps.next()
  const ended = job.ended.then(() => undefined)
  return unlessAborted(Promise.race([ended, shell.traps.arrived]), shell.process.signal)
}

const jobs: Builtin = async (shell) => {
  for (const job of shell.jobs.all) {
    const state = job.status === undefined ? 'Running' : job.status === 0 ? 'Done' : `Done(${job.status})`
    await shell.print(
      `[${job.number}]${job === shell.jobs.last ? '+' : ' '} ${state.padEnd(26)}${job.command}\n`,
    )
    if (job.status !== undefined) shell.jobs.forget(job)
  }
  return 0
}

const foreground: Builtin = async (shell, [name = '%%']) => {
  const job = shell.jobs.find(name)
  if (!job) throw new ShellFailure(`${name}: no such job`, { fatal: false })
  await shell.print(`${job.command}\n`)
  const status = await unlessAborted(job.ended, shell.process.signal)
  shell.jobs.forget(job)
  return status
}

const kill: Builtin = async (shell, args) => {
  if (args[0] === '-l') return list(shell, args.slice(1))
  let signal = 15
  let targets = args
  const option = /^-(?:s(.*)|n(.*)|([A-Z0-9].*))$/.exec(args[0] ?? '')
  if (option) {
    const text = option[3] ?? (option[1] || option[2] || args[1] || '')
    targets = args.slice(option[3] !== undefined || option[1] || option[2] ? 1 : 2)
    const number = signalNumber(text)
    if (number === undefined) throw new ShellFailure(`bad signal name '${text}'`, { status: 1, fatal: false })
    signal = number
  }
  if (targets[0] === '--') targets = targets.slice(1)
  if (targets.length === 0)
    throw new ShellFailure('you need to specify whom to kill', { status: 1, fatal: false })
  let status = 0
  for (const target of targets) {
    const pid = target.startsWith('%') ? shell.jobs.find(target)?.pid : Number(target)
    if (pid === undefined || !Number.isInteger(pid)) {
      await shell.complain(`kill: invalid number '${target}'`)
      status = 1
    } else if (!send(shell, pid, signal)) {
      await shell.complain(`kill: can't kill pid ${target}: No such process`)
      status = 1
    }
  }
  await shell.checkpoint()
  return status
}

function send(shell: Interpreter, pid: number, signal: number): boolean {
  if (signal === 0) return shell.system.has(pid)
  // A job is a process and all processes that it has started.
  const job = shell.jobs.find(String(pid))
  if (job) for (const child of shell.system.below(pid)) child.kill(signal)
  return shell.system.kill(pid, signal) || job !== undefined
}

async function list(shell: Interpreter, args: readonly string[]): Promise<number> {
  if (args.length === 0) {
    const names = signalNames().map((name, index) => `${String(index + 1).padStart(2)}) ${name}`)
    await shell.print(`${names.join('\n')}\n`)
  }
  for (const arg of args) {
    const number = /^[0-9]+$/.test(arg) ? Number(arg) & 0x7f : signalNumber(arg)
    await shell.print(`${/^[0-9]+$/.test(arg) ? signalName(number ?? 0) : String(number ?? '')}\n`)
  }
  return 0
}

const trap: Builtin = async (shell, args) => {
  const words = args[0] === '--' ? args.slice(1) : args
  if (words.length === 0) {
    for (const [signal, action] of shell.traps.entries()) {
      await shell.print(`trap -- '${action.replaceAll("'", "'\\''")}' ${signalName(signal)}\n`)
    }
    return 0
  }
  const [first = ''] = words
  const resets = words.length === 1 || /^[0-9]+$/.test(first)
  const action = resets || first === '-' ? undefined : first
  for (const name of resets ? words : words.slice(1)) {
    const signal = signalNumber(name)
    if (signal === undefined)
      throw new ShellFailure(`${name}: invalid signal specification`, { status: 1, fatal: false })
    shell.traps.set(signal, action)
  }
  return 0
}

/** Builtins about background commands and signals. */
export const jobBuiltins: Readonly<Record<string, Builtin>> = {
  wait,
  jobs,
  fg: foreground,
  bg: async () => 0,
  kill,
  trap,
}
