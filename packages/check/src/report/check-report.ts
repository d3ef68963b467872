import type { Finding } from '../judgements/index.ts'

/** Intended behaviour that looks like a fault. The report lists it. */
export interface Intent {
  /** The kind of the objects. */
  readonly kind: string
  /** Why the behaviour is correct. */
  readonly reason: string
}

/** The result of a check. */
export interface CheckReport {
  readonly findings: readonly Finding[]
  /** How many stories were played. */
  readonly runs: number
  /** How many of them tested nothing, because the server refused a step or a fault did not happen. */
  readonly discarded: number
  /** In how many different states they ended. */
  readonly states: number
  readonly samples: readonly string[]
  /** The seed, which decided the combinations that were tried. */
  readonly seed: number
  /** The behaviour that the author declared as intended. */
  readonly intents: readonly Intent[]
  /** Whether the check ended before it had played all stories. */
  readonly ended: boolean
}
