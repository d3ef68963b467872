import type { Story } from '../stories/index.ts'
import type { Outcome } from '../world/index.ts'
import type { Expectation } from './expectation.ts'
import type { FindingClass } from './finding-class.ts'

/** One run to make, and how to judge it. */
export interface Trial {
  /** What it means when it fails. */
  readonly class: FindingClass
  readonly story: Story
  readonly reference: Story
  readonly expects: Expectation
}

/** What is expected of a trial: the outcome of its reference, and the places in it that vary by themselves. */
export interface Expected {
  readonly outcome: Outcome
  readonly varying: ReadonlySet<string>
}
