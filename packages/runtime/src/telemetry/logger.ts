/** What a log line carries besides its message. Values are data, never rendered into the message. */
export type LogFields = Readonly<Record<string, unknown>>

/** Writes one line: `log.info('text')`, or with fields `log.info({ pod: 'a' }, 'text')`. */
export interface LogMethod {
  (message: string): void
  (fields: LogFields, message: string): void
}

/**
 * A structured logger. A pino instance fits: a message, or fields first and the message second, and `child` for fields
 * that all further lines carry.
 */
export interface Logger {
  debug: LogMethod
  info: LogMethod
  warn: LogMethod
  error: LogMethod
  child(fields: LogFields): Logger
}
