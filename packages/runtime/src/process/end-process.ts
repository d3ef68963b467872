import process from 'node:process'

/** Ends the process at once, even with open connections and files. */
export function endProcess(code: number): never {
  process.exit(code)
}
