import process from 'node:process'
import type { Clock } from '@homeostat/api'
import { createLogger, type Logger } from '../telemetry/index.ts'

/** Writes to standard error: readable lines on a terminal, JSON elsewhere. */
export function processLogger(clock: Clock): Logger {
  const terminal = process.stderr.isTTY
  return createLogger({
    format: terminal ? 'text' : 'json',
    color: terminal && !process.env['NO_COLOR'],
    clock,
    write: (line) => void process.stderr.write(line),
  })
}
