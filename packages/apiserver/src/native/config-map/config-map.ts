import { type FieldError, invalidValue, objectOf } from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { frozenErrors, keyErrors, sizeErrors } from './data-validation.ts'
import { configMapPrinter } from './table.ts'

/** ConfigMaps. Their keys are valid file names. A ConfigMap with `immutable: true` cannot change. */
export const configMap: NativeKind = {
  group: '',
  kind: 'ConfigMap',
  table: configMapPrinter,
  updateSteps: ['metadata change', 'change', 'metadata', 'object'],
  validate(object) {
    const { data, binaryData } = object
    const errors: FieldError[] = []
    for (const key of Object.keys(objectOf(data))) {
      addAll(errors, keyErrors(key, 'data'))
      if (Object.hasOwn(objectOf(binaryData), key)) {
        errors.push(invalidValue(`data[${key}]`, key, 'duplicate of key present in binaryData'))
      }
    }
    for (const key of Object.keys(objectOf(binaryData))) addAll(errors, keyErrors(key, 'binaryData'))
    return [...errors, ...sizeErrors('', data, binaryData)]
  },
  validateUpdate: (object, old) => frozenErrors(object, old, ['data', 'binaryData'], 'binaryData'),
}
