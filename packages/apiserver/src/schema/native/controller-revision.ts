import { requiredValue } from '../field-error.ts'
import { notNegative, unchanged } from './checks.ts'
import type { NativeBehaviour } from './native-behaviour.ts'

/** What a workload was, for those who want it back. */
export const controllerRevision: NativeBehaviour = {
  updateSteps: ['metadata change', 'change'],
  validate: ({ data, revision }) => [
    ...(data === undefined || data === null ? [requiredValue('data', 'data is mandatory')] : []),
    ...notNegative(revision, 'revision'),
  ],
  validateUpdate: (object, old) => [
    ...unchanged(object['data'], old['data'], 'data'),
    ...notNegative(object['revision'], 'revision'),
  ],
}
