import { ShellSyntaxError } from './syntax-error.ts'

/** The deepest nesting of commands and words. */
const DEEPEST = 200
/** How many pieces one line of commands may have: it is read without a pause. */
const MOST_PIECES = 20_000

/** The text of a script and how far it has been read. Backslash with a newline is skipped wherever it means nothing. */
export class Scanner {
  readonly text: string
  position = 0
  #depth = 0
  /** Newlines before this position are counted. */
  #counted = 0
  #line = 1
  /** Where the next newline after the counted ones stands. */
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

  /** Passes over the text if it stands here. */
  take(prefix: string): boolean {
    if (!this.startsWith(prefix)) return false
    this.position += prefix.length
    return true
  }

  /** Passes over what the sticky expression matches here, and gives it. */
  match(expression: RegExp): string | undefined {
    expression.lastIndex = this.position
    const found = expression.exec(this.text)?.[0]
    if (found !== undefined) this.position += found.length
    return found
  }

  /** Spaces, continued lines and a comment. */
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

  /** The text ended where something was still open. */
  incomplete(what: string): ShellSyntaxError {
    return new ShellSyntaxError(`syntax error: unexpected end of file (expecting "${what}")`, this.line, true)
  }
}
