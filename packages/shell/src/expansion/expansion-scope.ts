import type { ShellFiles } from '../files/index.ts'
import type { List } from '../syntax/syntax-tree.ts'
import type { ArithmeticScope } from './arithmetic.ts'

/** The parts of the shell that the expansion of words uses. */
export interface ExpansionScope extends ArithmeticScope {
  /** `$?`, `$$`, `$!`, `$-`, `$0`. */
  special(name: string): string | undefined
  readonly positional: readonly string[]
  readonly files: ShellFiles
  readonly directory: string
  /** An option of `set`: `noglob`, `nounset`. */
  option(name: string): boolean
  /** Counts work that was done. Returns a promise to await, if other processes get their turn first. */
  step(cost: number): Promise<void> | undefined
  /** The output of commands, without the newlines at its end. */
  substitute(list: List): Promise<string>
}

/** The longest value that a variable or a substitution may have. */
export const LONGEST_VALUE = 1024 ** 2
/** The most that the words of one command may have together, as systems limit it. */
export const LONGEST_WORDS = 4 * 1024 ** 2
/** How many words one command may have. */
export const MOST_WORDS = 250_000
