import type { ContainerFiles } from '../../files/index.ts'
import type { List } from '../syntax/syntax-tree.ts'
import type { ArithmeticScope } from './arithmetic.ts'

/** What words are expanded with: the shell that expands them. */
export interface ExpansionScope extends ArithmeticScope {
  /** `$?`, `$$`, `$!`, `$-`, `$0`. */
  special(name: string): string | undefined
  readonly positional: readonly string[]
  readonly files: ContainerFiles
  readonly directory: string
  /** An option of `set`: `noglob`, `nounset`. */
  option(name: string): boolean
  /** The output of commands, without the newlines at its end. */
  substitute(list: List): Promise<string>
}

/** The longest value that a variable or a substitution may have. */
export const LONGEST_VALUE = 4 * 1024 ** 2
