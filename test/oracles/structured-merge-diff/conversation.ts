import type { ManagedFieldsEntry } from '@homeostat/api'

export type JsonObject = Record<string, unknown>

/** The kind that all conversations are about. */
export const KIND = { apiVersion: 'example.com/v1', kind: 'Thing' } as const

/** What several managers do to one object of a kind. */
export interface Conversation {
  /** The structural schema of the kind: the properties of its objects besides what all objects have. */
  readonly properties: JsonObject
  readonly steps: readonly Step[]
}

export interface Step {
  readonly do: 'apply' | 'update'
  readonly manager: string
  readonly force: boolean
  /** What is applied, or the whole object as it should be. */
  readonly object: JsonObject
}

/** What a step leaves, or why it failed. */
export interface Outcome {
  /** Without its managed fields. */
  readonly object?: JsonObject
  /** Without times, sorted by operation and name. */
  readonly managers?: readonly Omit<ManagedFieldsEntry, 'time'>[]
  /** `field: message`, sorted. */
  readonly conflicts?: readonly string[]
  /** What the schema has no place for. */
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

/** What stands for more than one problem. */
export const SEVERAL = 'several'

function shortProblem(problem: string): string {
  const text = problem.replace(/^failed to create typed patch object \([^)]*\): /, '')
  return text.startsWith('errors:') ? SEVERAL : text
}
