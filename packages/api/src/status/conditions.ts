import type { Clock } from '../clock/index.ts'
import { timestamp } from '../names/index.ts'

/** One aspect of an object's state, as its controller sees it: an entry of `status.conditions`. */
export interface Condition {
  /** Names the aspect, in CamelCase: `Available`. There is one condition of each type. */
  type: string
  status: 'True' | 'False' | 'Unknown'
  /** The `metadata.generation` that the controller had seen when it set the condition. */
  observedGeneration?: number | undefined
  /** When `status` last changed. */
  lastTransitionTime: string
  /** The reason, as one word in CamelCase that programs may branch on. */
  reason: string
  /** The reason, as a sentence for people. */
  message: string
}

/** A condition as a controller sets it: `setCondition` derives the transition time from the previous one. */
export type ConditionInput = Readonly<Omit<Condition, 'lastTransitionTime' | 'message'>> & {
  readonly message?: string | undefined
  readonly lastTransitionTime?: string | undefined
}

/**
 * Returns the list with this condition in it: it replaces the condition of the same type, or is added at the end.
 * The transition time is kept while the status stays the same; otherwise it is the given one, or `now` (a clock, or
 * milliseconds since 1970). The given list is not changed.
 */
export function setCondition(
  conditions: readonly Readonly<Condition>[] | undefined,
  condition: ConditionInput,
  now: Pick<Clock, 'now'> | number,
): Condition[] {
  const before = findCondition(conditions, condition.type)
  const lastTransitionTime =
    before?.status === condition.status
      ? before.lastTransitionTime
      : (condition.lastTransitionTime ?? timestamp(typeof now === 'number' ? now : now.now()))
  const after: Condition = {
    type: condition.type,
    status: condition.status,
    ...(condition.observedGeneration === undefined
      ? {}
      : { observedGeneration: condition.observedGeneration }),
    lastTransitionTime,
    reason: condition.reason,
    message: condition.message ?? '',
  }
  if (!before) return [...(conditions ?? []).map((entry) => ({ ...entry })), after]
  return (conditions ?? []).map((entry) => (entry === before ? after : { ...entry }))
}

/** The condition of this type, if the list has one. */
export function findCondition<C extends { readonly type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** Whether the list has a condition of this type that is true. */
export function isConditionTrue(
  conditions: readonly { readonly type: string; readonly status: string }[] | undefined,
  type: string,
): boolean {
  return findCondition(conditions, type)?.status === 'True'
}
