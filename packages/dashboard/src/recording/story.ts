import type { ToldFact, ToldStep } from './told.ts'

/** A finding of `homeostat check` in English words. What the page says in other languages it takes from `class`, `fact` and the steps' `told`. */
export interface ShownFinding {
  readonly class: string
  /** What the class of the finding means. */
  readonly title: string
  /** What is wrong, in one sentence. */
  readonly summary: string
  /** The same as data. Absent in recordings of earlier versions. */
  readonly fact?: ToldFact | undefined
  readonly details?: string | undefined
  /** The steps of the story whose final state this story should have reached. */
  readonly shouldEndAs?: readonly StepInWords[] | undefined
  /** How the final state differs from the expected one. */
  readonly differences: readonly ShownDifference[]
  /** The line of the operator's code: `controller.ts:31:22`. */
  readonly line?: string | undefined
  readonly remedy: string
  /** The address of the page that explains the class. */
  readonly page: string
}

/** A difference in one object. A missing value means that the field is absent. */
export interface ShownDifference {
  /** `ConfigMap default/web` */
  readonly object: string
  /** `spec.replicas`; empty where the whole object is meant. */
  readonly path: string
  readonly expected?: unknown
  readonly found?: unknown
}

/** One step of a story: what a user, another client or the cluster did. */
export interface StepInWords {
  readonly text: string
  /** The same as data. Absent in recordings of earlier versions. */
  readonly told?: ToldStep | undefined
}

/** A step of a story that a recording shows. */
export interface StoryStep extends StepInWords {
  /** The sequence number of the last entry that belongs to the step. */
  readonly until: number
}

/** The story that a recording shows. */
export interface RecordedStory extends ShownFinding {
  readonly steps: readonly StoryStep[]
}
