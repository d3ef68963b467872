import { checkOptionNames, optionNames, SystemClock, type Clock } from '@homeostat/api'
import { logFields } from './log-fields.ts'
import type { LogFields, Logger, LogMethod } from './logger.ts'

/** The severity of a line, from the lowest to the highest. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface LoggerOptions {
  /** `json`: one object a line, for machines. `text`: for people at a terminal. */
  format: 'json' | 'text'
  /** The lowest level that is written. Default: `info`. */
  level?: LogLevel | undefined
  /** Whether text is coloured, for terminals. Default: false. */
  color?: boolean | undefined
  /** Gets each line, with its line break. It must not throw. */
  write: (line: string) => void
  /** The clock for the time of each line. Default: the machine's clock. */
  clock?: Pick<Clock, 'now'> | undefined
}

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warn', 'error']
const COLORS = { debug: 90, info: 36, warn: 33, error: 31 } as const

const LOGGER_OPTIONS = optionNames<LoggerOptions>('createLogger', {
  format: true,
  level: true,
  color: true,
  write: true,
  clock: true,
})

/**
 * A logger that writes lines. It never throws, whatever the fields hold, and never writes credentials or
 * the data of Secrets.
 */
export function createLogger(options: LoggerOptions): Logger {
  checkOptionNames(options, LOGGER_OPTIONS)
  const { clock = new SystemClock() } = options
  const least = LEVELS.indexOf(options.level ?? 'info')
  const format = options.format === 'json' ? jsonLine : options.color ? coloredLine : plainLine

  function loggerWith(bound: LogFields): Logger {
    const at = (level: LogLevel): LogMethod => {
      if (LEVELS.indexOf(level) < least) return () => {}
      return (first: string | LogFields, second?: string): void => {
        const time = new Date(clock.now()).toISOString()
        const [fields, message] = typeof first === 'string' ? [{}, first] : [first, second ?? '']
        options.write(format(time, level, message, safeFields(bound, fields)))
      }
    }
    return {
      debug: at('debug'),
      info: at('info'),
      warn: at('warn'),
      error: at('error'),
      child: (fields) => loggerWith({ ...bound, ...fields }),
    }
  }
  return loggerWith({})
}

/** A logger that writes nothing. */
export const silentLogger: Logger = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  child: () => silentLogger,
}

/** Returns no fields where a getter or a proxy among them throws, so that the message is still written. */
function safeFields(bound: LogFields, fields: LogFields): Record<string, unknown> {
  try {
    return logFields({ ...bound, ...fields })
  } catch (error) {
    return { logFieldsFailed: String(error) }
  }
}

function jsonLine(time: string, level: LogLevel, message: string, fields: Record<string, unknown>): string {
  return `${JSON.stringify({ time, level, message, ...withoutTaken(fields) })}\n`
}

/** Renames fields that have the name of a field that every line has. */
function withoutTaken(fields: Record<string, unknown>): Record<string, unknown> {
  const { time, level, message, ...rest } = fields
  return {
    ...rest,
    ...(time !== undefined && { 'fields.time': time }),
    ...(level !== undefined && { 'fields.level': level }),
    ...(message !== undefined && { 'fields.message': message }),
  }
}

function plainLine(time: string, level: LogLevel, message: string, fields: Record<string, unknown>): string {
  return textLine(time, level, message, fields, (text) => text)
}

function coloredLine(
  time: string,
  level: LogLevel,
  message: string,
  fields: Record<string, unknown>,
): string {
  return textLine(time, level, message, fields, (text, color) => `\u001b[${color}m${text}\u001b[0m`)
}

function textLine(
  time: string,
  level: LogLevel,
  message: string,
  fields: Record<string, unknown>,
  paint: (text: string, color: number) => string,
): string {
  const pairs: string[] = []
  const below: string[] = []
  for (const [key, value] of Object.entries(fields)) {
    if (isErrorValue(value)) below.push(...errorLines(key, value))
    else pairs.push(`${paint(`${key}=`, 90)}${textValue(value)}`)
  }
  const head = [paint(time.slice(11, 23), 90), paint(level.toUpperCase().padEnd(5), COLORS[level]), message]
  const indented = below.map((line) => `    ${paint(line, level === 'error' ? 31 : 33)}\n`).join('')
  return `${[...head, ...pairs].join(' ')}\n${indented}`
}

interface ErrorValue {
  name: string
  message: string
  code?: unknown
  stack?: string
  cause?: unknown
}

function isErrorValue(value: unknown): value is ErrorValue {
  return typeof value === 'object' && value !== null && 'name' in value && 'message' in value
}

function errorLines(key: string, error: ErrorValue): string[] {
  const code = error.code === undefined ? '' : ` (${textValue(error.code)})`
  const lines = [`${key}: ${error.message}${code}`]
  if (error.stack) lines.push(...error.stack.split('\n').filter((line) => line.startsWith('    at ')))
  if (isErrorValue(error.cause)) lines.push(...errorLines('caused by', error.cause))
  else if (error.cause !== undefined) lines.push(`caused by: ${textValue(error.cause)}`)
  return lines
}

function textValue(value: unknown): string {
  if (typeof value === 'string' && /^[^\s"=]+$/.test(value)) return value
  return JSON.stringify(value)
}
