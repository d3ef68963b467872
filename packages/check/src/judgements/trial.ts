import type { Story } from '../stories/index.ts'
import {
  randomNames,
  varyingPlaces,
  withStableNames,
  type Outcome,
  type RandomNames,
} from '../world/index.ts'
import type { Expectation } from './expectation.ts'
import type { FindingClass } from './finding-class.ts'

/** One run to make, and how to judge it. */
export interface Trial {
  /** The class of the finding when it fails. */
  readonly class: FindingClass
  readonly story: Story
  readonly reference: Story
  readonly expects: Expectation
}

/** The expected outcome of a trial: that of its reference, and the places and names in it that vary by themselves. */
export interface Expected {
  /** Its state has {@link withStableNames stable names}. */
  readonly outcome: Outcome
  readonly varying: ReadonlySet<string>
  readonly names: readonly RandomNames[]
}

/** The outcome of two runs of one story. */
export function expectedOf(outcome: Outcome, again: Outcome): Expected {
  const names = randomNames(outcome.state, again.state)
  const state = withStableNames(outcome.state, names)
  const varying = varyingPlaces(state, withStableNames(again.state, names))
  return { outcome: { ...outcome, state }, varying, names }
}

/** The outcome of one run of a story, where it is not known which parts vary. */
export function exactly(outcome: Outcome): Expected {
  return { outcome, varying: new Set(), names: [] }
}
