import type { Clock } from '@homeostat/api'
import {
  createLogger,
  silentLogger,
  type LogFields,
  type Logger,
  type LogLevel,
  type LogMethod,
} from 'homeostat'

/** The logger that a test asks for: its own logger, a printing logger, both or neither. */
export function operatorLogger(
  options: { readonly logger?: Logger | undefined; readonly logs?: boolean | LogLevel | undefined },
  clock: Pick<Clock, 'now'>,
): Logger {
  const { logger, logs } = options
  if (!logs) return logger ?? silentLogger
  const level = logs === true ? 'info' : logs
  const printing = createLogger({ format: 'text', level, clock, write: (line) => print(line.trimEnd()) })
  return logger ? bothLoggers(printing, logger) : printing
}

/** Prints where test runners look for what a test prints. */
export function print(text: string): void {
  // oxlint-disable-next-line no-console -- Runners attribute what the console gets to the test that runs.
  console.error(text)
}

function bothLoggers(first: Logger, second: Logger): Logger {
  const at =
    (level: LogLevel): LogMethod =>
    (...line: [string] | [LogFields, string]) => {
      for (const logger of [first, second]) {
        if (line.length === 1) logger[level](line[0])
        else logger[level](line[0], line[1])
      }
    }
  return {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => bothLoggers(first.child(fields), second.child(fields)),
  }
}
