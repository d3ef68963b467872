import { optionNames } from '@homeostat/api'
import type { FindingClass } from './judgements/index.ts'
import type { Intent } from './report/index.ts'

/** A field that is meant to vary. */
export interface VaryingField extends Intent {
  /** Where it stands: `status.attempts`. */
  readonly path: string
}

/** How far a check has come. */
export interface CheckProgress {
  /** How many stories were played. */
  readonly runs: number
  /** Which class of faults is looked for. */
  readonly class: FindingClass
  readonly findings: number
}

/** How an operator is checked. */
export interface CheckOptions {
  /** Looks for these classes only. Default: all. */
  readonly only?: readonly FindingClass[] | undefined
  /** Kinds whose objects stay when their owner is deleted. Default: none. */
  readonly keeps?: readonly Intent[] | undefined
  /** Fields that are meant to vary from run to run. Default: none. */
  readonly varies?: readonly VaryingField[] | undefined
  /** Called after each run. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined
  /** Ends the check early: the report has what was found so far. */
  readonly signal?: AbortSignal | undefined
}

export const CHECK_OPTIONS = optionNames<CheckOptions>('check', {
  only: true,
  keeps: true,
  varies: true,
  onProgress: true,
  signal: true,
})
