import { AppletFailure, type Applet } from './context/applet-context.ts'
import { formatDate, parseTime } from './context/date-format.ts'
import { parseOptions } from './context/options.ts'
import { signalNumber } from '../process/signal-names.ts'

const UNITS: Readonly<Record<string, number>> = { '': 1, s: 1, m: 60, h: 3_600, d: 86_400 }

const sleep: Applet = async (context) => {
  if (context.args.length === 0) throw new AppletFailure('missing operand')
  const seconds = context.args.reduce((sum, arg) => sum + secondsOf(arg), 0)
  if (seconds === Number.POSITIVE_INFINITY) await new Promise((_, reject) => rejectOn(context.signal, reject))
  else await context.system.clock.sleep(seconds * 1_000, { signal: context.signal })
  return 0
}

function rejectOn(signal: AbortSignal, reject: (reason: unknown) => void): void {
  if (signal.aborted) reject(signal.reason)
  else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
}

const usleep: Applet = async (context) => {
  await context.system.clock.sleep(secondsOf(context.args[0] ?? '') / 1_000, { signal: context.signal })
  return 0
}

function secondsOf(text: string): number {
  if (text === 'infinity' || text === 'inf') return Number.POSITIVE_INFINITY
  const match = /^([0-9]*\.?[0-9]+)([smhd]?)$/.exec(text)
  if (!match) throw new AppletFailure(`invalid number '${text}'`)
  return Number(match[1]) * (UNITS[match[2] ?? ''] ?? 1)
}

const date: Applet = async (context) => {
  const options = parseOptions(context, {
    letters: 'ud:r:RI',
    long: { utc: 'u', date: 'd', 'iso-8601': 'I', rfc: 'R' },
  })
  const given = options.value('d')
  const file = options.value('r')
  const now = context.system.clock.now()
  const time =
    given !== undefined
      ? parseTime(given, now)
      : file === undefined
        ? now
        : context.files.stat(context.absolute(file))?.modified
  if (time === undefined)
    throw new AppletFailure(given === undefined ? `can't stat '${file}'` : `invalid date '${given}'`)
  const [operand] = options.operands
  if (operand !== undefined && !operand.startsWith('+'))
    throw new AppletFailure("can't set date: Operation not permitted")
  const pattern = options.has('R')
    ? '%a, %d %b %Y %H:%M:%S +0000'
    : options.has('I')
      ? '%F'
      : '%a %b %e %H:%M:%S UTC %Y'
  await context.print(`${formatDate(time, operand?.slice(1) ?? pattern)}\n`)
  return 0
}

const timeout: Applet = async (context) => {
  const options = parseOptions(context, { letters: 's:k:t:', strict: true })
  const [limit, command, ...args] = options.operands
  if (limit === undefined || command === undefined) throw new AppletFailure('usage: timeout SECS PROG ARGS')
  const signal = signalNumber(options.value('s') ?? 'TERM') ?? 15
  let late = false
  using _timer = context.system.clock.schedule(secondsOf(limit) * 1_000, () => {
    late = true
    for (const child of context.system.below(context.parent))
      if (child.pid > context.process.pid) child.kill(signal)
  })
  const status = await context.spawn([command, ...args])
  return late ? 143 : status
}

/** Applets about time. */
export const timeApplets: Readonly<Record<string, Applet>> = { sleep, usleep, date, timeout }
