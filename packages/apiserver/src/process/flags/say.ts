/** Writes a line to standard output. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Writes a line to standard error. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}
