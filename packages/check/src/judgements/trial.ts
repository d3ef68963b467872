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

/** What is expected of a trial: the outcome of its reference, and the places and names in it that vary by themselves. */
export interface Expected {
  /** Its state has {@link withStableNames stable names}. */
  readonly outcome: Outcome
  readonly varying: ReadonlySet<string>
  readonly names: readonly RandomNames[]
}

/** What two runs of one story lead to. */
export function expectedOf(outcome: Outcome, again: Outcome): Expected {
  const names = randomNames(outcome.state, again.state)
  const state = withStableNames(outcome.state, names)
  const varying = varyingPlaces(state, withStableNames(again.state, names))
  return { outcome: { ...outcome, state }, varying, names }
}

/** What one run of a story leads to, where nothing is known of what varies. */
export function exactly(outcome: Outcome): Expected {
  return { outcome, varying: new Set(), names: [] }
}
