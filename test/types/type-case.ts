import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** The compiler's message about one place. */
export interface Diagnostic {
  readonly file: string
  readonly line: number
  /** The lines that a person sees, without their indentation. */
  readonly message: readonly string[]
}

/** One right or wrong use of the types, with the messages that it must cause. */
export interface TypeCase {
  readonly file: string
  readonly title: string
  readonly isRight: boolean
  /** The lines of the file that belong to it, counted from 1, the last one included. */
  readonly first: number
  readonly last: number
  readonly expected: readonly Diagnostic[]
}

const EXPECT = /^\s*\/\/ @expect: (.*)$/
const CONTINUED = /^\s*\/\/ {2,}(\S.*)$/
const TITLE = /^\/\/ @(right|wrong): (.*)$/

/**
 * Reads the cases of all files in a folder. A case begins with `// @right: …` or `// @wrong: …` and ends where the next
 * begins. `// @expect: …` says what the compiler must say about the next line of code; lines after it that are indented
 * further are the rest of the same message. `…` stands for any text.
 */
export function readTypeCases(folder: string): TypeCase[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .toSorted()
    .flatMap((name) => casesOf(name, readFileSync(join(folder, name), 'utf8').split('\n')))
}

function casesOf(file: string, lines: readonly string[]): TypeCase[] {
  const starts = lines.flatMap((line, index) => (TITLE.test(line) ? [index] : []))
  return starts.map((start, nth): TypeCase => {
    const end = starts[nth + 1] ?? lines.length
    const [, side, title] = TITLE.exec(lines[start]!)!
    return {
      file,
      title: title!,
      isRight: side === 'right',
      first: start + 1,
      last: end,
      expected: expectations(file, lines, start, end),
    }
  })
}

function expectations(file: string, lines: readonly string[], start: number, end: number): Diagnostic[] {
  const found: Diagnostic[] = []
  let waiting: string[][] = []
  for (let index = start; index < end; index++) {
    const line = lines[index]!
    const begun = EXPECT.exec(line)
    const continued = waiting.length > 0 ? CONTINUED.exec(line) : null
    if (begun) waiting.push([begun[1]!])
    else if (continued) waiting.at(-1)!.push(continued[1]!)
    else if (line.trim() !== '') {
      found.push(...waiting.map((message) => ({ file, line: index + 1, message })))
      waiting = []
    }
  }
  return found
}

/** The text of a file with the expectations that the diagnostics call for, in place of those that it has. */
export function withExpectations(text: string, diagnostics: readonly Diagnostic[]): string {
  const result: string[] = []
  let dropping = false
  for (const [index, line] of text.split('\n').entries()) {
    dropping = EXPECT.test(line) || (dropping && CONTINUED.test(line))
    if (dropping) continue
    const indent = /^\s*/.exec(line)![0]
    for (const { message } of diagnostics.filter((one) => one.line === index + 1)) {
      result.push(`${indent}// @expect: ${message[0]}`)
      result.push(...message.slice(1).map((more) => `${indent}//   ${more}`))
    }
    result.push(line)
  }
  return result.join('\n')
}

/** Whether the compiler's message is the expected one, where `…` stands for any text. */
export function isMessage(expected: readonly string[], actual: readonly string[]): boolean {
  const pattern = expected
    .join('\n')
    .split('…')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join('[^]*')
  return new RegExp(`^${pattern}$`).test(actual.join('\n'))
}
