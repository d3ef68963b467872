import { notNegative } from '../../checks/index.ts'
import { type FieldError, invalidValue, isNumber, type JsonObject, objectOf } from '../../schema/index.ts'

/** The rules for the numbers in a workload's status. */
interface StatusCounts {
  /** Numbers that may not be negative, in the order in which Kubernetes checks them. */
  readonly counts: readonly string[]
  /** Numbers that may not be more than `replicas`. */
  readonly atMostReplicas?: readonly string[]
  /** The number that `availableReplicas` may not exceed, and its name in messages. */
  readonly ready?: string
  /** Whether `collisionCount` can only grow. */
  readonly collisions?: boolean
}

/** Validates the numbers in a workload's status. */
export function statusCounts(rules: StatusCounts): (object: JsonObject, old: JsonObject) => FieldError[] {
  const { counts, atMostReplicas = [], ready, collisions = false } = rules
  return (object, old) => {
    const status = objectOf(object['status'])
    const number = (name: string): number => Number(status[name] ?? 0)
    const errors = counts.flatMap((name) => notNegative(status[name], `status.${name}`))
    for (const name of atMostReplicas) {
      if (number(name) <= number('replicas')) continue
      errors.push(invalidValue(`status.${name}`, number(name), 'cannot be greater than status.replicas'))
    }
    if (ready && number('availableReplicas') > number('readyReplicas')) {
      const detail = `cannot be greater than ${ready}`
      errors.push(invalidValue('status.availableReplicas', number('availableReplicas'), detail))
    }
    const before = objectOf(old['status'])['collisionCount']
    if (collisions && isNumber(before) && !(Number(status['collisionCount'] ?? -1) >= before)) {
      const detail = 'cannot be decremented'
      errors.push(invalidValue('status.collisionCount', number('collisionCount'), detail))
    }
    return errors
  }
}
