import { FileError } from '../../files/index.ts'
import type { Input } from '../../process/input.ts'
import type { AppletContext } from './applet-context.ts'

/**
 * Reads files one after the other, or standard input where none are named. Reports files that cannot be read, and
 * then returns 1.
 */
export async function eachFile(
  context: AppletContext,
  paths: readonly string[],
  work: (input: Input, path: string) => Promise<void>,
): Promise<number> {
  let status = 0
  for (const path of paths.length > 0 ? paths : ['-']) {
    try {
      await context.reading(path, (input) => work(input, path))
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      await context.complain(
        error.errno === 'EISDIR' ? `read error: ${error.reason}` : cannotOpen(path, error),
      )
      status = 1
    }
  }
  return status
}

/** The message of busybox. */
export function cannotOpen(path: string, error: FileError): string {
  return `can't open '${path}': ${error.reason}`
}
