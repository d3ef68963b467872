import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'

/**
 * The output of a program. A test can wait for a line, or for the end: there is no way to ask what was printed so far,
 * because a line that another process is about to print may come at any time.
 */
export interface ProgramOutput {
  /** Resolves with the exit code, once all output has been read. */
  readonly exited: Promise<number | null>
  /** Waits for the end; resolves with all that was printed, on either stream. Rejects if the exit code is another. */
  ends(code: number | null): Promise<string>
  /** Resolves with the match once the output matches; rejects when the program ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
  /** Like `printed`, of what the program prints from now on. */
  next(pattern: RegExp): Promise<RegExpExecArray>
}

/** Follows a program from its start. `name` is what a failure calls it: `the demo`. */
export function followOutput(
  child: ChildProcessByStdio<Writable | null, Readable, Readable>,
  name: string,
): ProgramOutput {
  let output = ''
  let hasEnded = false
  const waiting = new Set<() => void>()
  const { promise: exited, resolve: end } = Promise.withResolvers<number | null>()
  // Unlike `exit`, `close` comes when nothing is left to read.
  child.once('close', (code) => {
    hasEnded = true
    end(code)
    for (const check of waiting) check()
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const check of waiting) check()
    })
  }
  const printedAfter = (start: number, pattern: RegExp): Promise<RegExpExecArray> => {
    const { promise, resolve, reject } = Promise.withResolvers<RegExpExecArray>()
    const check = (): void => {
      const match = pattern.exec(output.slice(start))
      if (!match && !hasEnded) return
      waiting.delete(check)
      if (match) resolve(match)
      else reject(new Error(`${name} ended before it printed ${String(pattern)}:\n${output}`))
    }
    waiting.add(check)
    check()
    return promise
  }
  return {
    exited,
    ends: async (expected) => {
      const code = await exited
      if (code !== expected) throw new Error(`${name} ended with ${code} instead of ${expected}:\n${output}`)
      return output
    },
    printed: (pattern) => printedAfter(0, pattern),
    next: (pattern) => printedAfter(output.length, pattern),
  }
}
