import { named, requiredName, unchanged } from '../../checks/index.ts'
import {
  type FieldError,
  isObject,
  objectOf,
  requiredValue,
  segmentProblems,
  subdomainProblems,
} from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { ipAddressPrinter } from './table.ts'

/** IPAddresses: allocated addresses, with the objects that have them. */
export const ipAddress: NativeKind = {
  group: 'networking.k8s.io',
  kind: 'IPAddress',
  names: 'address',
  keepsGenerateName: true,
  table: ipAddressPrinter,
  updateSteps: ['metadata', 'object', 'metadata change', 'change'],
  validate(object) {
    const field = 'spec.parentRef'
    const parent = objectOf(object['spec'])['parentRef']
    if (!isObject(parent)) return [requiredValue(field)]
    const { group, resource, name, namespace } = parent
    const errors: FieldError[] = group ? named(group, `${field}.group`, subdomainProblems) : []
    return [
      ...errors,
      ...requiredName(resource, `${field}.resource`, segmentProblems),
      ...requiredName(name, `${field}.name`, segmentProblems),
      ...(namespace ? named(namespace, `${field}.namespace`, segmentProblems) : []),
    ]
  },
  validateUpdate: (object, old) =>
    unchanged(objectOf(object['spec'])['parentRef'], objectOf(old['spec'])['parentRef'], 'spec.parentRef'),
}
