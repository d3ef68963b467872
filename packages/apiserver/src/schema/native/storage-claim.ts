import {
  forbiddenValue,
  invalidValue,
  requiredValue,
  unsupportedValue,
  type FieldError,
} from '../field-error.ts'
import { equalJson, listOf, objectOf, type JsonObject } from '../json.ts'
import { subdomainProblems } from '../name-syntax.ts'
import { compareQuantities, parseQuantity } from '../quantity.ts'
import { ensureObject } from './absent.ts'
import { named, oneOf } from './checks.ts'
import type { NativeBehaviour } from './native-behaviour.ts'

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const ZERO = { mantissa: 0n, exponent: 0, form: 'decimal' } as const

/** Claims for volumes. */
export const persistentVolumeClaim: NativeBehaviour = {
  default(object) {
    ensureObject(object, 'spec')['volumeMode'] ??= 'Filesystem'
    ensureObject(object, 'status')['phase'] ??= 'Pending'
  },
  validate(object) {
    const spec = objectOf(object['spec'])
    const errors = [...modeErrors(listOf(spec['accessModes'])), ...sizeErrors(spec)]
    const { storageClassName } = spec
    if (typeof storageClassName === 'string' && storageClassName !== '') {
      errors.push(...named(storageClassName, 'spec.storageClassName', subdomainProblems))
    }
    errors.push(...oneOf(spec['volumeMode'], ['Block', 'Filesystem'], 'spec.volumeMode'))
    return errors
  },
  validateUpdate(object, old) {
    const spec = objectOf(object['spec'])
    const before = objectOf(old['spec'])
    const bound = objectOf(old['status'])['phase'] === 'Bound'
    if (equalJson(changeable(spec, before, bound), before)) return []
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    return [forbiddenValue('spec', detail)]
  },
}

function modeErrors(modes: readonly unknown[]): FieldError[] {
  const field = 'spec.accessModes'
  if (modes.length === 0) return [requiredValue(field, 'at least 1 access mode is required')]
  const errors = modes
    .filter((mode) => !MODES.includes(String(mode)))
    .map((mode) => unsupportedValue(field, mode, MODES))
  if (modes.includes('ReadWriteOncePod') && modes.length > 1) {
    errors.push(forbiddenValue(field, 'may not use ReadWriteOncePod with other access modes'))
  }
  return errors
}

function sizeErrors(spec: JsonObject): FieldError[] {
  const { storage } = objectOf(objectOf(spec['resources'])['requests'])
  const field = 'spec.resources[storage]'
  if (storage === undefined) return [requiredValue(field)]
  const size = parseQuantity(storage)
  if (!size || compareQuantities(size, ZERO) > 0) return []
  return [invalidValue(field, storage, 'must be greater than zero')]
}

/** The spec with what may change put back: a volume can be bound, a bound claim can grow, a class can be given late. */
function changeable(spec: JsonObject, before: JsonObject, bound: boolean): JsonObject {
  const copy: JsonObject = { ...spec }
  if (before['volumeName'] === undefined) delete copy['volumeName']
  if (before['storageClassName'] === undefined) delete copy['storageClassName']
  if (bound) {
    copy['resources'] = before['resources']
    if (before['volumeAttributesClassName'] === undefined) delete copy['volumeAttributesClassName']
    else copy['volumeAttributesClassName'] = before['volumeAttributesClassName']
  }
  return copy
}
