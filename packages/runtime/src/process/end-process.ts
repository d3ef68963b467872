import process from 'node:process'

/** Ends the process at once, whatever it still has open. */
export function endProcess(code: number): never {
  process.exit(code)
}
