import { notNegative } from '../../checks/index.ts'
import { type FieldError, invalidValue, isNumber, objectOf } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { leasePrinter } from './table.ts'

/** Leases. */
export const lease: NativeKind = {
  group: 'coordination.k8s.io',
  kind: 'Lease',
  createOnUpdate: true,
  unconditionalUpdate: false,
  table: leasePrinter,
  plainFinalizers: true,
  dropDisabled(object) {
    // Only coordinated leader election uses these fields.
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
