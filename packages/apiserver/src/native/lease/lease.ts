import { invalidValue, type FieldError } from '../../schema/field-error.ts'
import { isNumber, objectOf } from '../../schema/json.ts'
import { notNegative } from '../checks/checks.ts'
import type { NativeBehaviour } from '../kind/native-behaviour.ts'

/** Leases. */
export const lease: NativeBehaviour = {
  plainFinalizers: true,
  dropDisabled(object) {
    // Only a coordinated election of leaders uses them.
    const spec = objectOf(object['spec'])
    delete spec['strategy']
    delete spec['preferredHolder']
  },
  validate(object) {
    const { leaseDurationSeconds, leaseTransitions } = objectOf(object['spec'])
    const errors: FieldError[] = []
    if (isNumber(leaseDurationSeconds) && leaseDurationSeconds <= 0) {
      errors.push(invalidValue('spec.leaseDurationSeconds', leaseDurationSeconds, 'must be greater than 0'))
    }
    return [...errors, ...notNegative(leaseTransitions, 'spec.leaseTransitions')]
  },
}
