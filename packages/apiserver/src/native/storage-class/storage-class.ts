import { labelKeyProblems } from '@homeostat/api'
import {
  duplicateValue,
  forbiddenValue,
  invalidValue,
  requiredValue,
  tooLong,
  type FieldError,
} from '../../schema/field-error.ts'
import {
  copyJson,
  equalJson,
  isNumber,
  isObject,
  listOf,
  objectOf,
  textOf,
  type JsonObject,
} from '../../schema/json.ts'
import { subdomainProblems } from '../../schema/name-syntax.ts'
import { ensureObject, objectsIn } from '../checks/absent.ts'
import {
  driverName,
  eachObject,
  named,
  notNegative,
  notNegativeQuantity,
  oneOf,
  unchanged,
} from '../checks/checks.ts'
import { selectorText, validateLabelSelector } from '../checks/label-selector.ts'
import type { NativeBehaviour } from '../kind/native-behaviour.ts'
import { validateVolumeSpec } from '../persistent-volume/persistent-volume.ts'
import { addAll } from '../../work/index.ts'

const MOST_PARAMETERS = 512
const LARGEST_PARAMETERS = 256 * 1024

/** StorageClasses. */
export const storageClass: NativeBehaviour = {
  updateSteps: ['metadata', 'object', 'metadata change', 'change'],
  default(object) {
    object['reclaimPolicy'] ??= 'Delete'
    object['volumeBindingMode'] ??= 'Immediate'
  },
  validate(object) {
    return [
      ...provisionerErrors(object['provisioner'], 'provisioner'),
      ...parameterErrors(object['parameters'], 'parameters'),
      ...oneOf(object['reclaimPolicy'], ['Delete', 'Retain'], 'reclaimPolicy'),
      ...oneOf(object['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer'], 'volumeBindingMode'),
      ...topologyErrors(object['allowedTopologies'], 'allowedTopologies'),
    ]
  },
  validateUpdate: (object, old) =>
    ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((name) =>
      unchanged(object[name], old[name], name),
    ),
}

function provisionerErrors(value: unknown, field: string): FieldError[] {
  const text = textOf(value ?? '')
  return text === '' ? [requiredValue(field)] : named(text.toLowerCase(), field, labelKeyProblems)
}

function parameterErrors(value: unknown, field: string): FieldError[] {
  const entries = Object.entries(objectOf(value))
  if (entries.length > MOST_PARAMETERS) return [tooLong(field, MOST_PARAMETERS)]
  const errors = entries
    .filter(([key]) => key === '')
    .map(([key]) => invalidValue(field, key, 'field can not be empty.'))
  const size = entries.reduce((sum, [key, text]) => sum + key.length + textOf(text).length, 0)
  return size > LARGEST_PARAMETERS ? [...errors, tooLong(field, LARGEST_PARAMETERS)] : errors
}

function topologyErrors(value: unknown, field: string): FieldError[] {
  const seen: unknown[] = []
  return eachObject(value, field, (term, at) => {
    const terms: Record<string, readonly unknown[]> = {}
    const list = `${at}.matchLabelExpressions`
    const errors = eachObject(term['matchLabelExpressions'], list, (requirement, where) => {
      const key = textOf(requirement['key'] ?? '')
      const values = listOf(requirement['values'])
      const wrong = values.length === 0 ? [requiredValue(`${where}.values`)] : []
      for (const [index, one] of values.entries()) {
        if (values.indexOf(one) < index) wrong.push(duplicateValue(`${where}.values[${index}]`, one))
      }
      addAll(wrong, named(key, `${where}.key`, labelKeyProblems))
      if (Object.hasOwn(terms, key)) wrong.push(duplicateValue(`${where}.key`, key))
      terms[key] = [...new Set(values.map(textOf))].sort((a, b) => (a < b ? -1 : 1))
      return wrong
    })
    if (seen.some((other) => equalJson(other, terms))) errors.push(duplicateValue(list, ''))
    seen.push(terms)
    return errors
  })
}

/** VolumeAttributesClasses. */
export const volumeAttributesClass: NativeBehaviour = {
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

/** CSIDrivers. */
export const csiDriver: NativeBehaviour = {
  default(object) {
    const spec = ensureObject(object, 'spec')
    spec['attachRequired'] ??= true
    for (const name of ['podInfoOnMount', 'storageCapacity', 'requiresRepublish', 'seLinuxMount']) {
      spec[name] ??= false
    }
    spec['fsGroupPolicy'] ??= 'ReadWriteOnceWithFSType'
    if (listOf(spec['volumeLifecycleModes']).length === 0) spec['volumeLifecycleModes'] = ['Persistent']
  },
  dropDisabled: (object) => delete objectOf(object['spec'])['preventPodSchedulingIfMissing'],
  validate(object) {
    const spec = objectOf(object['spec'])
    const period = spec['nodeAllocatableUpdatePeriodSeconds']
    const errors = [
      ...oneOf(spec['fsGroupPolicy'], ['File', 'None', 'ReadWriteOnceWithFSType'], 'spec.fsGroupPolicy'),
      ...tokenErrors(spec['tokenRequests'], 'spec.tokenRequests'),
      ...listOf(spec['volumeLifecycleModes']).flatMap((mode) =>
        oneOf(mode, ['Persistent', 'Ephemeral'], 'spec.volumeLifecycleModes'),
      ),
    ]
    if (isNumber(period) && period < 10) {
      const detail = 'must be greater than or equal to 10 seconds'
      errors.push(invalidValue('spec.nodeAllocatableUpdatePeriodSeconds', period, detail))
    }
    const { serviceAccountTokenInSecrets } = spec
    if (serviceAccountTokenInSecrets !== undefined && listOf(spec['tokenRequests']).length === 0) {
      const detail = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
      errors.push(invalidValue('spec.serviceAccountTokenInSecrets', serviceAccountTokenInSecrets, detail))
    }
    return errors
  },
  validateUpdate(object, old) {
    const [spec, before] = [objectOf(object['spec']), objectOf(old['spec'])]
    return [
      ...unchanged(spec['attachRequired'], before['attachRequired'], 'spec.attachedRequired'),
      ...unchanged(spec['volumeLifecycleModes'], before['volumeLifecycleModes'], 'spec.volumeLifecycleModes'),
    ]
  },
}

function tokenErrors(value: unknown, field: string): FieldError[] {
  const seen = new Set<unknown>()
  return eachObject(value, field, ({ audience = '', expirationSeconds }, at) => {
    if (seen.has(audience)) return [duplicateValue(`${at}.audience`, audience)]
    seen.add(audience)
    if (!isNumber(expirationSeconds)) return []
    const where = `${at}.expirationSeconds`
    if (expirationSeconds < 600) {
      return [invalidValue(where, expirationSeconds, 'may not specify a duration less than 10 minutes')]
    }
    if (expirationSeconds <= 2 ** 32) return []
    return [invalidValue(where, expirationSeconds, 'may not specify a duration larger than 2^32 seconds')]
  })
}

/** CSINodes. */
export const csiNode: NativeBehaviour = {
  updateSteps: ['metadata', 'object', 'change'],
  validate(object) {
    const names = new Set<unknown>()
    return eachObject(objectOf(object['spec'])['drivers'], 'spec.drivers', (driver, at) => {
      const errors = driverName(driver['name'], `${at}.name`)
      const id = textOf(driver['nodeID'] ?? '')
      if (id === '') errors.push(requiredValue(`${at}.nodeID`))
      if (id.length > 256) errors.push(invalidValue(`${at}.nodeID`, id, 'must be 256 characters or less'))
      addAll(errors, notNegative(objectOf(driver['allocatable'])['count'], `${at}.allocatable.count`))
      if (names.has(driver['name'])) errors.push(duplicateValue(`${at}.name`, driver['name']))
      names.add(driver['name'])
      const keys = new Set<string>()
      for (const key of listOf(driver['topologyKeys']).map(textOf)) {
        if (key === '') errors.push(requiredValue(at))
        if (keys.has(key)) errors.push(duplicateValue(at, key))
        keys.add(key)
        addAll(errors, named(key, at, labelKeyProblems))
      }
      return errors
    })
  },
  validateUpdate(object, old) {
    const now = objectsIn(objectOf(object['spec'])['drivers'])
    return objectsIn(objectOf(old['spec'])['drivers']).flatMap((before) => {
      const driver = now.find(({ name }) => name === before['name'])
      if (!driver) return []
      const shown = { Name: driver['name'], NodeID: driver['nodeID'] }
      return unchanged(withoutCount(driver), withoutCount(before), 'spec.drivers', shown)
    })
  },
}

function withoutCount(driver: JsonObject): JsonObject {
  const copy = copyJson(driver)
  delete copy['allocatable']
  return copy
}

/** CSIStorageCapacities. */
export const csiStorageCapacity: NativeBehaviour = {
  validate(object) {
    return [
      ...validateLabelSelector(object['nodeTopology'], 'nodeTopology'),
      ...named(object['storageClassName'], 'storageClassName', subdomainProblems),
      ...notNegativeQuantity(object['capacity'], 'capacity'),
    ]
  },
  updateSteps: ['metadata', 'metadata change', 'object', 'change'],
  validateUpdate: (object, old) => [
    ...unchanged(
      object['nodeTopology'],
      old['nodeTopology'],
      'nodeTopology',
      selectorText(object['nodeTopology']),
    ),
    ...unchanged(object['storageClassName'], old['storageClassName'], 'storageClassName'),
  ],
}

/** VolumeAttachments. */
export const volumeAttachment: NativeBehaviour = {
  updateSteps: ['metadata', 'object', 'change'],
  validate(object) {
    const spec = objectOf(object['spec'])
    const source = objectOf(spec['source'])
    const { persistentVolumeName, inlineVolumeSpec } = source
    const errors = driverName(spec['attacher'], 'spec.attacher')
    const detail = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'
    const inline = isObject(inlineVolumeSpec)
    if (!inline && persistentVolumeName === undefined) errors.push(requiredValue('spec.source', detail))
    else if (inline && persistentVolumeName !== undefined) errors.push(forbiddenValue('spec.source', detail))
    else if (persistentVolumeName === '') {
      const empty = 'must specify non empty persistentVolumeName'
      errors.push(requiredValue('spec.source.persistentVolumeName', empty))
    } else if (inline) {
      addAll(errors, validateVolumeSpec(inlineVolumeSpec, 'spec.source.inlineVolumeSpec', '', true))
    }
    addAll(errors, named(spec['nodeName'], 'spec.nodeName', subdomainProblems))
    if (persistentVolumeName === undefined) return errors
    return [...errors, ...named(persistentVolumeName, 'spec.source.persistentVolumeName', subdomainProblems)]
  },
  validateUpdate(object, old) {
    const { attacher, nodeName } = objectOf(object['spec'])
    return unchanged(object['spec'], old['spec'], 'spec', { Attacher: attacher, NodeName: nodeName })
  },
}
