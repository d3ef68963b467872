import { labelKeyProblems } from '@homeostat/api'
import {
  ensureObject,
  named,
  oneOf,
  optionalName,
  positiveQuantity,
  required,
  unchanged,
  validateLabelSelector,
} from '../../checks/index.ts'
import {
  compareQuantities,
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  parseQuantity,
  type Quantity,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
  wholeValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { roundClaim } from '../compute-resources/resource-defaults.ts'
import { isNativeResource } from '../compute-resources/resource-names.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import { claimStrategy } from './claim-strategy.ts'
import { annotationWarnings, claimWarnings } from './claim-warnings.ts'
import { persistentVolumeClaimPrinter } from './table.ts'

const MODES = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
/** How a container sees a volume: as a folder or as a device. */
export const VOLUME_MODES = ['Block', 'Filesystem']
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class'
const ZERO: Quantity = { mantissa: 0n, exponent: 0, form: 'decimal' }

/** PersistentVolumeClaims. */
export const persistentVolumeClaim: NativeKind = {
  group: '',
  kind: 'PersistentVolumeClaim',
  ...claimStrategy,
  warnings: (claim) => [
    ...annotationWarnings(objectOf(claim['metadata'])),
    ...claimWarnings(objectOf(claim['spec']), 'spec'),
  ],
  table: persistentVolumeClaimPrinter,
  updateSteps: ['metadata change', 'metadata', 'object', 'change'],
  default(object) {
    const spec = ensureObject(object, 'spec')
    spec['volumeMode'] ??= 'Filesystem'
    ensureObject(object, 'status')['phase'] ||= 'Pending'
    roundClaim(object)
  },
  validate: (object) => validateClaimSpec(objectOf(object['spec']), 'spec'),
  validateUpdate: claimChanges,
  validateStatus: claimStatusErrors,
}

/** Validates access modes. */
export function accessModeErrors(value: unknown, field: string): FieldError[] {
  const modes = listOf(value)
  const errors = modes
    .filter((mode) => !MODES.includes(textOf(mode)))
    .map((mode) => unsupportedValue(field, mode, MODES))
  const others = modes.some((mode) => mode !== 'ReadWriteOncePod' && MODES.includes(textOf(mode)))
  if (modes.includes('ReadWriteOncePod') && others) {
    errors.push(forbiddenValue(field, 'may not use ReadWriteOncePod with other access modes'))
  }
  return errors
}

/** Validates the spec of a claim or of a template of claims. */
export function validateClaimSpec(spec: JsonObject, field: string): FieldError[] {
  const modes = listOf(spec['accessModes'])
  const errors =
    modes.length === 0 ? [requiredValue(`${field}.accessModes`, 'at least 1 access mode is required')] : []
  addAll(
    errors,
    validateLabelSelector(spec['selector'], `${field}.selector`),
    accessModeErrors(modes, `${field}.accessModes`),
    sizeErrors(spec, `${field}.resources[storage]`),
    optionalName(spec['storageClassName'], `${field}.storageClassName`),
    oneOf(spec['volumeMode'], VOLUME_MODES, `${field}.volumeMode`),
    sourceErrors(spec['dataSource'], `${field}.dataSource`),
    sourceErrors(spec['dataSourceRef'], `${field}.dataSourceRef`),
  )
  const { dataSource, dataSourceRef } = spec
  const foreign = objectOf(dataSourceRef)['namespace']
  if (foreign) {
    addAll(errors, named(foreign, `${field}.dataSourceRef.namespace`, labelProblems))
    if (isObject(dataSource)) {
      const detail = 'may not be specified when dataSourceRef.namespace is specified'
      errors.push(invalidValue(field, {}, detail))
    }
  } else if (isObject(dataSource) && isObject(dataSourceRef)) {
    const same = ['apiGroup', 'kind', 'name'].every(
      (part) => (dataSource[part] ?? null) === (dataSourceRef[part] ?? null),
    )
    if (!same) errors.push(invalidValue(field, {}, 'must match dataSourceRef'))
  }
  return [...errors, ...optionalName(spec['volumeAttributesClassName'], `${field}.volumeAttributesClassName`)]
}

function sizeErrors(spec: JsonObject, field: string): FieldError[] {
  const { storage } = objectOf(objectOf(spec['resources'])['requests'])
  return storage === undefined ? [requiredValue(field)] : positiveQuantity(storage, field)
}

function sourceErrors(value: unknown, field: string): FieldError[] {
  if (!isObject(value)) return []
  const errors = [...required(value['name'], `${field}.name`), ...required(value['kind'], `${field}.kind`)]
  const group = textOf(value['apiGroup'] ?? '')
  if (group === '' && value['kind'] !== 'PersistentVolumeClaim') {
    const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
    errors.push(invalidValue(field, value['kind'] ?? '', detail))
  }
  return group === '' ? errors : [...errors, ...named(group, `${field}.apiGroup`, subdomainProblems)]
}

function claimChanges(object: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectOf(object['spec'])
  const before = objectOf(old['spec'])
  const bound = objectOf(object['status'])['phase'] === 'Bound'
  const annotation = (one: JsonObject): unknown =>
    objectOf(objectOf(one['metadata'])['annotations'])[CLASS_ANNOTATION]
  const errors: FieldError[] = []
  if ((annotation(object) ?? '') !== (annotation(old) ?? '')) {
    const field = `metadata.annotations.${CLASS_ANNOTATION}`
    errors.push(invalidValue(field, annotation(object) ?? '', 'field is immutable'))
  }
  if (!equalJson(changeable(spec, before, bound), before)) {
    const detail =
      'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
    errors.push(forbiddenValue('spec', detail))
  }
  const sizeOf = (one: JsonObject): Quantity =>
    parseQuantity(objectOf(objectOf(one['resources'])['requests'])['storage']) ?? ZERO
  if (compareQuantities(sizeOf(spec), sizeOf(before)) < 0) {
    const capacity = parseQuantity(objectOf(objectOf(old['status'])['capacity'])['storage']) ?? ZERO
    if (compareQuantities(sizeOf(spec), capacity) <= 0) {
      const detail = 'field can not be less than status.capacity'
      errors.push(forbiddenValue('spec.resources.requests.storage', detail))
    }
  }
  addAll(errors, unchanged(spec['volumeMode'], before['volumeMode'], 'volumeMode'))
  if (
    !equalJson(spec['volumeAttributesClassName'], before['volumeAttributesClassName']) &&
    objectOf(old['status'])['currentVolumeAttributesClassName'] !== undefined &&
    !spec['volumeAttributesClassName']
  ) {
    const to = spec['volumeAttributesClassName'] === undefined ? 'nil' : 'empty string'
    const detail = `update to ${to} is forbidden when status.currentVolumeAttributesClassName is not nil`
    errors.push(forbiddenValue('spec.volumeAttributesClassName', detail))
  }
  return errors
}

/**
 * The new spec with the old values of its mutable fields: a volume can be bound, a bound claim can grow, and a class
 * can be set later.
 */
function changeable(spec: JsonObject, before: JsonObject, bound: boolean): JsonObject {
  const copy: JsonObject = { ...spec }
  const keep = (name: string): void => {
    if (before[name] === undefined) delete copy[name]
    else copy[name] = before[name]
  }
  if (before['volumeName'] === undefined) delete copy['volumeName']
  if (before['storageClassName'] === undefined) delete copy['storageClassName']
  if (!bound) return copy
  const resources = objectOf(copy['resources'])
  if (isObject(resources['requests'])) {
    const { storage } = objectOf(objectOf(before['resources'])['requests'])
    copy['resources'] = { ...resources, requests: { ...resources['requests'], storage } }
  }
  keep('volumeAttributesClassName')
  return copy
}

const RESIZES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

function claimStatusErrors(object: JsonObject): FieldError[] {
  const status = objectOf(object['status'])
  const errors: FieldError[] = []
  if (listOf(objectOf(object['spec'])['accessModes']).length === 0)
    errors.push(requiredValue('Spec.accessModes'))
  for (const [name, amount] of Object.entries(objectOf(status['capacity']))) {
    addAll(errors, basicAmount(amount, `status.capacity[${name}]`))
  }
  for (const [name, state] of Object.entries(objectOf(status['allocatedResourceStatuses']))) {
    const field = 'status.allocatedResourceStatuses'
    addAll(errors, claimResource(name, field))
    if (!RESIZES.includes(textOf(state))) errors.push(unsupportedValue(field, name, RESIZES))
  }
  for (const [name, amount] of Object.entries(objectOf(status['allocatedResources']))) {
    const wrong = claimResource(name, 'status.allocatedResources')
    addAll(errors, wrong.length > 0 ? wrong : basicAmount(amount, `status.allocatedResources[${name}]`))
  }
  return errors
}

function claimResource(name: string, field: string): FieldError[] {
  const problems = labelKeyProblems(name)
  if (problems.length > 0) return problems.map((problem) => invalidValue(field, name, problem))
  if (!isNativeResource(name) || name === 'storage') return []
  return [unsupportedValue(field, name, ['storage'])]
}

/** Validates a quantity that may not be negative. Errors show it as a number. */
export function basicAmount(value: unknown, field: string): FieldError[] {
  const quantity = parseQuantity(value)
  if (!quantity || compareQuantities(quantity, ZERO) >= 0) return []
  return [invalidValue(field, wholeValue(quantity), 'must be a valid resource quantity')]
}
