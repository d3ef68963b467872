import type { Story } from '../stories/index.ts'
import type { Difference } from '../world/index.ts'
import type { Expectation } from './expectation.ts'
import type { Fact } from './fact.ts'
import type { FindingClass } from './finding-class.ts'

/** One way in which the operator does not converge, with the story that shows it. */
export interface Finding {
  readonly class: FindingClass
  /** The fault, in one sentence about these objects. */
  readonly summary: string
  /** The same as data. */
  readonly fact: Fact
  readonly story: Story
  /** The story whose final state this story should have reached. Absent if the judgement compares no states. */
  readonly reference?: Story | undefined
  /** How the state differs from the expected one. */
  readonly differences: readonly Difference[]
  /** A longer text of the runtime, if it has one that explains the finding. */
  readonly details?: string | undefined
  /** The line of the operator that sent the failed or the wrong request: `controller.ts:31:22`. */
  readonly line?: string | undefined
  /** The state in which the story must end. Absent if the judgement compares no states. */
  readonly expects?: Expectation | undefined
  /** The number of the run that showed it first. `--replay` takes this number. */
  readonly run?: number | undefined
  /** How many further stories show the same. */
  readonly others?: number | undefined
  /** Identifies the root. Findings with the same root have the same text here. */
  readonly root: string
}
