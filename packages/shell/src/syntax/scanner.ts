import { ShellSyntaxError } from './syntax-error.ts'

/** The deepest nesting of commands and words. */
const DEEPEST = 200
/** How many pieces one line of commands may have: it is read without a pause. */
const MOST_PIECES = 20_000

/**
 * The text of a script, and the current position in it. A backslash before a newline is skipped where it continues
 * the line.
 */
export class Scanner {
  readonly text: string
  position = 0
  #depth = 0
  /** Newlines before this position are counted. */
  #counted = 0
  #line = 1
  /** The position of the next newline after the counted ones. */
  #nextNewline: number | undefined
  #pieces = 0

  constructor(text: string) {
    this.text = text
  }

  get atEnd(): boolean {
    return this.position >= this.text.length
  }

  /** The character here, or further on; empty past the end. */
  peek(offset = 0): string {
    return this.text[this.position + offset] ?? ''
  }

  next(): string {
    return this.text[this.position++] ?? ''
  }

  startsWith(prefix: string): boolean {
    return this.text.startsWith(prefix, this.position)
  }

  /** Skips the text if it is at the current position. */
  take(prefix: string): boolean {
    if (!this.startsWith(prefix)) return false
    this.position += prefix.length
    return true
  }

  /** Skips what the sticky expression matches at the current position, and returns it. */
  match(expression: RegExp): string | undefined {
    expression.lastIndex = this.position
    const found = expression.exec(this.text)?.[0]
    if (found !== undefined) this.position += found.length
    return found
  }

  /** Skips spaces, continued lines and a comment. */
  skipBlanks(): void {
    for (;;) {
      const character = this.peek()
      if (character === ' ' || character === '\t') this.position++
      else if (this.startsWith('\\\n')) this.position += 2
      else if (character === '#') this.match(/[^\n]*/y)
      else return
    }
  }

  /** The line that is being read, from 1. */
  get line(): number {
    if (this.#counted > this.position) [this.#counted, this.#line, this.#nextNewline] = [0, 1, undefined]
    for (let at = this.#newlineAfterCounted(); at < this.position; at = this.#newlineAfterCounted()) {
      this.#line++
      this.#counted = at + 1
      this.#nextNewline = undefined
    }
    return this.#line
  }

  /** Remembered, since a text of a single line would be searched to its end for each command. */
  #newlineAfterCounted(): number {
    if (this.#nextNewline === undefined) {
      const at = this.text.indexOf('\n', this.#counted)
      this.#nextNewline = at < 0 ? Number.POSITIVE_INFINITY : at
    }
    return this.#nextNewline
  }

  /** Begins a line of commands, whose pieces are counted from here. */
  beginLine(): void {
    this.#pieces = 0
  }

  /** Counts a piece of a word or a command, however often the same text is read. */
  countPiece(): void {
    if (++this.#pieces > MOST_PIECES) throw this.error('a command is too long')
  }

  /** Reads a nested construct, and limits its depth. */
  nested<T>(read: () => T): T {
    this.countPiece()
    if (++this.#depth > DEEPEST) throw this.error('the script is nested too deep')
    try {
      return read()
    } finally {
      this.#depth--
    }
  }

  error(message: string): ShellSyntaxError {
    return new ShellSyntaxError(message, this.line)
  }

  /** The error for a text that ends inside of a construct. */
  incomplete(what: string): ShellSyntaxError {
    return new ShellSyntaxError(`syntax error: unexpected end of file (expecting "${what}")`, this.line, true)
  }
}
