import { equalJson, forbiddenValue, objectOf, requiredValue } from '../../schema/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { parameterErrors, provisionerErrors } from '../storage-class/parameter-validation.ts'
import { volumeAttributesClassPrinter } from './table.ts'

/** VolumeAttributesClasses. */
export const volumeAttributesClass: NativeKind = {
  group: 'storage.k8s.io',
  kind: 'VolumeAttributesClass',
  returnsDeleted: true,
  table: volumeAttributesClassPrinter,
  updateSteps: ['metadata change', 'change', 'metadata', 'object'],
  validate(object) {
    const errors = [
      ...provisionerErrors(object['driverName'], 'driverName'),
      ...parameterErrors(object['parameters'], 'parameters'),
    ]
    if (Object.keys(objectOf(object['parameters'])).length > 0) return errors
    return [...errors, requiredValue('parameters', 'must contain at least one key/value pair')]
  },
  validateUpdate: (object, old) =>
    ['driverName', 'parameters']
      .filter((name) => !equalJson(object[name], old[name]))
      .map((name) => forbiddenValue(name, `updates to ${name} are forbidden.`)),
}
