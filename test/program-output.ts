import type { ChildProcessByStdio } from 'node:child_process'
import type { Readable } from 'node:stream'

/** What a program prints, while it runs. */
export interface ProgramOutput {
  /** Resolves with the exit code. */
  readonly exited: Promise<number | null>
  /** All that it has printed so far, on either stream. */
  output(): string
  /** Resolves with the match once the output matches; rejects when the program ends first. */
  printed(pattern: RegExp): Promise<RegExpExecArray>
}

/** Follows a program from its start. `name` is what a failure calls it: `the demo`. */
export function followOutput(
  child: ChildProcessByStdio<null, Readable, Readable>,
  name: string,
): ProgramOutput {
  let output = ''
  const waiting = new Set<() => void>()
  const exited = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      done(code)
      for (const check of waiting) check()
    })
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const check of waiting) check()
    })
  }
  return {
    exited,
    output: () => output,
    printed: (pattern) =>
      new Promise((found, failed) => {
        const check = (): void => {
          const match = pattern.exec(output)
          if (!match && child.exitCode === null && child.signalCode === null) return
          waiting.delete(check)
          if (match) found(match)
          else failed(new Error(`${name} ended before it printed ${String(pattern)}:\n${output}`))
        }
        waiting.add(check)
        check()
      }),
  }
}
