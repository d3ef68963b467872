/** An error of an expression, with its place. */
export interface Issue {
  /** An offset in characters; undefined for none. */
  readonly at: number | undefined
  readonly message: string
}

/** How many issues are reported of one expression. */
const REPORTED = 100
/** The longest line that is shown, in bytes. */
const LONGEST_LINE = 16_384

/** The issues of an expression as the API's messages show them: with the line, and a mark below the place. */
export function formatIssues(text: string, issues: readonly Issue[]): string {
  const lines = lineStarts(text)
  const places = issues.slice(0, REPORTED).map((issue) => ({ issue, ...locate(lines, issue.at) }))
  places.sort((a, b) => a.line - b.line || a.column - b.column)
  const shown = places.map(({ issue, line, column }) => display(text, issue.message, line, column))
  if (issues.length > REPORTED) shown.push(`${issues.length - REPORTED} more errors were truncated`)
  return shown.join('\n')
}

function lineStarts(text: string): number[] {
  const starts = [0]
  let offset = 0
  for (const char of text) {
    offset++
    if (char === '\n') starts.push(offset)
  }
  return starts
}

function locate(starts: readonly number[], at: number | undefined): { line: number; column: number } {
  if (at === undefined) return { line: -1, column: -1 }
  let line = starts.length - 1
  while (starts[line]! > at) line--
  return { line: line + 1, column: at - starts[line]! }
}

function display(text: string, message: string, line: number, column: number): string {
  // As in cel-go, an empty expression ends before its first column.
  if (text === '' && line === 1) return `ERROR: <input>:1:0: ${message}`
  const head = `ERROR: <input>:${line}:${column + 1}: ${message}`
  const source = line < 1 ? undefined : text.split('\n')[line - 1]
  if (source === undefined || new TextEncoder().encode(source).length > LONGEST_LINE) return head
  const snippet = source.replaceAll('\t', ' ')
  const chars = Array.from(snippet)
  const wide = (char: string | undefined): boolean => (char?.codePointAt(0) ?? 0) > 0x7f
  const dots = chars.slice(0, column).map((char) => (wide(char) ? '\uff0e' : '.'))
  const mark = wide(chars[column]) ? '\uff3e' : '^'
  return `${head}\n | ${snippet}\n | ${dots.join('')}${mark}`
}
