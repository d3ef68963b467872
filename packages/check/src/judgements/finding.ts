import type { Story } from '../stories/index.ts'
import type { Difference } from '../world/index.ts'
import type { Expectation } from './expectation.ts'
import type { FindingClass } from './finding-class.ts'

/** One way in which the operator does not converge, with the story that shows it. */
export interface Finding {
  readonly class: FindingClass
  /** What is wrong, in one sentence about these objects. */
  readonly summary: string
  readonly story: Story
  /** The story after which the operator should have reached the same state; absent where none is compared. */
  readonly reference?: Story | undefined
  /** How the state differs from what it should be. */
  readonly differences: readonly Difference[]
  /** A longer text of the runtime, where one explains it. */
  readonly details?: string | undefined
  /** Where the operator sent the request at which the fault struck, or that is wrong: `controller.ts:31:22`. */
  readonly line?: string | undefined
  /** What the story must lead to; absent where nothing is compared. */
  readonly expects?: Expectation | undefined
  /** The number of the run that showed it first, by which it can be played again. */
  readonly run?: number | undefined
  /** How many further stories show the same. */
  readonly others?: number | undefined
  /** Findings with the same root have the same text. */
  readonly root: string
}
