import type { Clock } from '@homeostat/api'
import { logFields, type LogFields, type Logger } from '../telemetry/index.ts'
import type { RecordedLog } from './activity-event.ts'

const MOST_CHARACTERS = 500

/** Passes each line on to another logger, and records it. */
export class RecordedLogger implements Logger {
  readonly #inner: Logger
  readonly #clock: Clock
  readonly #note: (line: RecordedLog) => void
  readonly #fields: LogFields

  constructor(inner: Logger, clock: Clock, note: (line: RecordedLog) => void, fields: LogFields = {}) {
    this.#inner = inner
    this.#clock = clock
    this.#note = note
    this.#fields = fields
  }

  debug(...line: [message: string] | [fields: LogFields, message: string]): void {
    this.#write('debug', line)
  }

  info(...line: [message: string] | [fields: LogFields, message: string]): void {
    this.#write('info', line)
  }

  warn(...line: [message: string] | [fields: LogFields, message: string]): void {
    this.#write('warn', line)
  }

  error(...line: [message: string] | [fields: LogFields, message: string]): void {
    this.#write('error', line)
  }

  child(fields: LogFields): Logger {
    const all = { ...this.#fields, ...fields }
    return new RecordedLogger(this.#inner.child(fields), this.#clock, this.#note, all)
  }

  #write(level: RecordedLog['level'], line: [message: string] | [fields: LogFields, message: string]): void {
    const [fields, message] = line.length === 1 ? [undefined, line[0]] : line
    if (fields) this.#inner[level](fields, message)
    else this.#inner[level](message)
    const at = this.#clock.now()
    this.#note({ at, level, message: shortened(message), fields: fieldsText({ ...this.#fields, ...fields }) })
  }
}

function fieldsText(fields: LogFields): string | undefined {
  const text = JSON.stringify(logFields(fields))
  return text === '{}' ? undefined : shortened(text)
}

function shortened(text: string): string {
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text
}
