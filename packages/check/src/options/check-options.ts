import { optionNames } from '@homeostat/api'
import type { FindingClass } from '../judgements/index.ts'
import type { ExternalSystem, Invariant } from '../world/index.ts'
import type { Intent } from '../report/index.ts'

/** A field that is meant to vary. */
export interface VaryingField extends Intent {
  /** Its path: `status.attempts`. */
  readonly path: string
}

/** A state of an object after which the operator no longer acts on it. */
export interface FinalState extends Intent {
  /** The path of the field that shows the state: `status.phase`. */
  readonly path: string
  /** The value of that field: `Done`. */
  readonly value: string | number | boolean
}

/** How far a check has come. */
export interface CheckProgress {
  /** How many stories were played. */
  readonly runs: number
  /** In how many different states they ended. */
  readonly states: number
  /** How many of the planned trials are done, and how many are planned. */
  readonly trials: number
  readonly planned: number
  /** Which class of faults is looked for. */
  readonly class: FindingClass
  readonly findings: number
  /** The properties of the samples that make the check slow or its findings doubtful. */
  readonly notes: readonly string[]
}

/** Keeps the progress of a check, so that a later check can continue it. */
export interface CheckMemory {
  /** The saved progress, or `undefined`. */
  read(): string | undefined
  write(text: string): void
}

/** The declarations of an operator's author for its check. The export `check` of the operator's module has the same form. */
export interface CheckDeclarations {
  /** Kinds whose objects stay when their owner is deleted. Default: none. */
  readonly keeps?: readonly Intent[] | undefined
  /** Fields that are meant to vary from run to run. Default: none. */
  readonly varies?: readonly VaryingField[] | undefined
  /**
   * States after which the operator no longer acts on changes of the spec and no longer restores children, such as
   * "done" of a task. Default: none.
   */
  readonly final?: readonly FinalState[] | undefined
  /** Invariants that must hold after each write, by name. Default: none. */
  readonly invariants?: Readonly<Record<string, Invariant>> | undefined
  /** The rights of the operator: those that its controllers declare, or all rights. Default: `'declared'`. */
  readonly rights?: 'declared' | 'all' | undefined
  /**
   * Systems outside of the cluster. They must end in the same state as in the reference, and be empty again after a
   * deletion. Default: none.
   */
  readonly external?: readonly ExternalSystem[] | undefined
}

/** How an operator is checked. */
export interface CheckOptions extends CheckDeclarations {
  /** Looks for these classes only. Default: all. */
  readonly only?: readonly FindingClass[] | undefined
  /** Decides which combinations of faults are tried. Default: 1. */
  readonly seed?: number | undefined
  /** How many combinations of faults are tried for each sample: fewer where there are no others. Default: 40. */
  readonly combinations?: number | undefined
  /**
   * How many trials are played for each sample at most; they are spread evenly over all of its trials. The seed
   * decides which one is first. Default: all.
   */
  readonly trials?: number | undefined
  /** Plays only the trial with this number, which a report shows. Default: all. */
  readonly replay?: number | undefined
  /** Continues from the progress that is kept there, and keeps further progress. Default: keeps nothing. */
  readonly memory?: CheckMemory | undefined
  /** Called after some runs. */
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined
  /** Ends the check early. The report then has the findings so far. */
  readonly signal?: AbortSignal | undefined
}

/** How the operator of a module is checked. */
export interface CheckModuleOptions extends CheckOptions {
  /** How many threads play trials. The report does not depend on it. Default: 1. */
  readonly jobs?: number | undefined
}

const DECLARATIONS = {
  keeps: true,
  varies: true,
  final: true,
  invariants: true,
  external: true,
  rights: true,
} as const

export const CHECK_DECLARATIONS = optionNames<CheckDeclarations>('the export check', DECLARATIONS)

const OPTIONS = {
  ...DECLARATIONS,
  only: true,
  seed: true,
  combinations: true,
  trials: true,
  replay: true,
  memory: true,
  onProgress: true,
  signal: true,
} as const

export const CHECK_OPTIONS = optionNames<CheckOptions>('check', OPTIONS)
export const CHECK_MODULE_OPTIONS = optionNames<CheckModuleOptions>('checkModule', { ...OPTIONS, jobs: true })
