/** What a log line carries besides its message. Values are data, never rendered into the message. */
export type LogFields = Readonly<Record<string, unknown>>

/**
 * A structured logger. A pino instance fits: fields first, message second, `child` for fields that all
 * further lines carry.
 */
export interface Logger {
  debug(fields: LogFields, message: string): void
  info(fields: LogFields, message: string): void
  warn(fields: LogFields, message: string): void
  error(fields: LogFields, message: string): void
  child(fields: LogFields): Logger
}
