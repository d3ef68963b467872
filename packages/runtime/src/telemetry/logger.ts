/** The fields of a log line besides its message. Values are data, never rendered into the message. */
export type LogFields = Readonly<Record<string, unknown>>

/** Writes one line: `log.info('text')`, or with fields `log.info({ pod: 'a' }, 'text')`. */
export interface LogMethod {
  (message: string): void
  (fields: LogFields, message: string): void
}

/**
 * A structured logger, which a pino instance implements: methods take a message, or fields and then a message, and
 * `child` adds fields to all further lines.
 */
export interface Logger {
  debug: LogMethod
  info: LogMethod
  warn: LogMethod
  error: LogMethod
  child(fields: LogFields): Logger
}
