import { RE2JS } from 're2js'

/** How many compiled patterns are kept. */
const KEPT = 1_000
/** How many steps of work an instruction of a pattern takes to compile, and to match with a character. */
const COMPILED = 15
const MATCHED = 1 / 20

/**
 * Compiles patterns and keeps them. Patterns are RE2's: matching takes time in proportion to the text, so that no
 * pattern can hang the process.
 */
export class Patterns {
  readonly #spend: (steps: number) => void
  readonly #compiled = new Map<string, RE2JS | Error>()

  /**
   * `spend` counts the work of compiling and matching. A step is about as long as checking one small value. An error that `spend`
   * throws ends the work, and reaches the caller.
   */
  constructor(spend: (steps: number) => void = () => {}) {
    this.#spend = spend
  }

  /** The compiled pattern, or its error. */
  compile(pattern: string): RE2JS | Error {
    const known = this.#compiled.get(pattern)
    if (known) return known
    if (this.#compiled.size >= KEPT) this.#compiled.clear()
    this.#spend(pattern.length)
    const result = compileOrError(pattern)
    if (!(result instanceof Error)) this.#spend(result.programSize() * COMPILED)
    this.#compiled.set(pattern, result)
    return result
  }

  /** Counts the work of looking for a pattern in a text. Call it before matching. */
  spendOnMatch(expression: RE2JS, text: string): void {
    this.#spend(text.length * expression.programSize() * MATCHED)
  }
}

function compileOrError(pattern: string): RE2JS | Error {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // Go shows the invalid part, also where it is empty.
    return new Error(message.replace(/(trailing backslash at end of expression)$/, '$1: ``'))
  }
}
