import { labelKeyProblems } from '@homeostat/api'
import { ensureObject, named } from '../../checks/index.ts'
import { invalidValue, listOf, objectOf, validateNativeFinalizers } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { finalizeAction } from './finalize-action.ts'
import { namespaceStrategy } from './namespace-strategy.ts'
import { namespacePrinter } from './table.ts'

/** Namespaces carry their own name as a label, so that selectors can choose them. */
export const namespace: NativeKind = {
  group: '',
  kind: 'Namespace',
  ...namespaceStrategy,
  table: namespacePrinter,
  subresources: { finalize: () => finalizeAction },
  default(object) {
    const { name } = objectOf(object['metadata'])
    if (typeof name === 'string' && name !== '') {
      ensureObject(ensureObject(object, 'metadata'), 'labels')['kubernetes.io/metadata.name'] = name
    }
    ensureObject(object, 'status')['phase'] ||= 'Active'
  },
  updateSteps: ['metadata', 'object', 'metadata change'],
  validate(object) {
    const field = 'spec.finalizers'
    return listOf(objectOf(object['spec'])['finalizers']).flatMap((one) => [
      ...named(one, field, labelKeyProblems),
      ...validateNativeFinalizers({ finalizers: [one] }, field).map((error) => ({ ...error, field })),
    ])
  },
  validateStatus(object) {
    const going = objectOf(object['metadata'])['deletionTimestamp'] !== undefined
    const { phase } = objectOf(object['status'])
    if (phase === (going ? 'Terminating' : 'Active')) return []
    const detail = going
      ? "may only be 'Terminating' if `deletionTimestamp` is not empty"
      : "may only be 'Active' if `deletionTimestamp` is empty"
    return [invalidValue('status.Phase', phase ?? '', detail)]
  },
}
