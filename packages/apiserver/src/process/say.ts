/** Writes a line for whoever reads the program's output. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

/** Writes a line for whoever looks for what went wrong. */
export function complain(line: string): void {
  process.stderr.write(`${line}\n`)
}
