import type { CheckOptions, FindingClass } from '@homeostat/check'
import type { Operator } from 'homeostat'

/** A small operator with one planted bug, or one that is right although it looks suspicious. */
export interface CorpusOperator {
  /** The operator's task, and its bug. */
  readonly title: string
  /** Classes that name the bug rightly: the check should report one of them. Empty: the check should report nothing. */
  readonly classes: readonly FindingClass[]
  /** The options that the author of the operator would declare. */
  readonly options?: CheckOptions
  /** Called for each process, so that a crash loses what an operator keeps in memory. */
  readonly operator: () => Operator
}
