import type { ManagedFieldsEntry } from '@homeostat/api'

export type JsonObject = Record<string, unknown>

/** The kind that all conversations are about. */
export const KIND = { apiVersion: 'example.com/v1', kind: 'Thing' } as const

/** The steps of several managers on one object of a kind. */
export interface Conversation {
  /** The structural schema of the kind: the properties of its objects besides what all objects have. */
  readonly properties: JsonObject
  readonly steps: readonly Step[]
}

export interface Step {
  readonly do: 'apply' | 'update'
  readonly manager: string
  readonly force: boolean
  /** The applied configuration, or the whole object for an update. */
  readonly object: JsonObject
}

/** The object after a step, or the reason why the step failed. */
export interface Outcome {
  /** Without its managed fields. */
  readonly object?: JsonObject
  /** Without times, sorted by operation and name. */
  readonly managers?: readonly Omit<ManagedFieldsEntry, 'time'>[]
  /** `field: message`, sorted. */
  readonly conflicts?: readonly string[]
  /** The problem with a field that the schema does not have. */
  readonly problem?: string
}

/** The outcome in a form in which two can be compared. */
export function comparable(outcome: Outcome): Outcome {
  const { managers, conflicts, problem } = outcome
  return {
    ...outcome,
    ...(managers && {
      managers: managers
        .map(({ manager, operation, fieldsV1 }) => ({ manager, operation, fieldsV1 }))
        .sort((a, b) => (`${a.operation} ${a.manager}` < `${b.operation} ${b.manager}` ? -1 : 1)),
    }),
    ...(conflicts && { conflicts: conflicts.toSorted() }),
    ...(problem && { problem: shortProblem(problem) }),
  }
}

/** Stands for more than one problem. */
export const SEVERAL = 'several'

function shortProblem(problem: string): string {
  const text = problem.replace(/^failed to create typed patch object \([^)]*\): /, '')
  return text.startsWith('errors:') ? SEVERAL : text
}
