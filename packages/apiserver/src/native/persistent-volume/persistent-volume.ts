import {
  ensureObject,
  named,
  oneOf,
  optionalName,
  positiveQuantity,
  setDefault,
  unchanged,
} from '../../checks/index.ts'
import {
  byteLength,
  equalJson,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  shownAsSent,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { roundList } from '../compute-resources/resource-defaults.ts'
import type { NativeKind } from '../kind/native-kind.ts'
import {
  accessModeErrors,
  basicAmount,
  VOLUME_MODES,
} from '../persistent-volume-claim/persistent-volume-claim.ts'
import { validateNodeSelector } from '../pod-spec/validation/scheduling-validation.ts'
import { SOURCE_CHECKS } from '../pod-spec/validation/volume-sources.ts'
import { persistentVolumeStrategy } from './persistent-volume-strategy.ts'
import { persistentVolumePrinter } from './table.ts'
import { mountOptionErrors, volumeWarnings } from './volume-warnings.ts'

/** The sources in the order in which Kubernetes checks them. */
const SOURCES = [
  'hostPath',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'glusterfs',
  'flocker',
  'nfs',
  'rbd',
  'quobyte',
  'cephfs',
  'iscsi',
  'cinder',
  'fc',
  'flexVolume',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'scaleIO',
  'local',
  'storageos',
  'csi',
]
const POLICIES = ['Delete', 'Recycle', 'Retain']

/** PersistentVolumes. */
export const persistentVolume: NativeKind = {
  group: '',
  kind: 'PersistentVolume',
  ...persistentVolumeStrategy,
  table: persistentVolumePrinter,
  updateSteps: ['metadata', 'object', 'metadata', 'object', 'change'],
  default(object) {
    const spec = ensureObject(object, 'spec')
    setDefault(ensureObject(object, 'status'), 'phase', 'Pending')
    setDefault(spec, 'persistentVolumeReclaimPolicy', 'Retain')
    spec['volumeMode'] ??= 'Filesystem'
    const { hostPath } = spec
    if (isObject(hostPath)) hostPath['type'] ??= ''
    roundList(spec['capacity'])
  },
  validate: (object) => [
    ...validateVolumeSpec(
      objectOf(object['spec']),
      'spec',
      textOf(objectOf(object['metadata'])['name'] ?? ''),
    ),
    ...mountOptionErrors(object),
  ],
  warnings: volumeWarnings,
  validateUpdate(object, old) {
    const spec = objectOf(object['spec'])
    const before = objectOf(old['spec'])
    const errors: FieldError[] = []
    if (!equalJson(sourceOf(spec, before), sourceOf(before, before))) {
      const detail = 'spec.persistentvolumesource is immutable after creation'
      errors.push(forbiddenValue('spec.persistentvolumesource', detail))
    }
    addAll(errors, unchanged(spec['volumeMode'], before['volumeMode'], 'volumeMode'))
    if (before['nodeAffinity'] !== undefined && !equalJson(spec['nodeAffinity'], before['nodeAffinity'])) {
      const { required } = objectOf(spec['nodeAffinity'])
      const shown = spec['nodeAffinity'] === undefined ? null : { Required: required ?? null }
      const detail = 'field is immutable, except for updating from beta label to GA'
      errors.push(invalidValue('nodeAffinity', shown, detail))
    }
    if (
      before['volumeAttributesClassName'] !== undefined &&
      spec['volumeAttributesClassName'] === undefined
    ) {
      const detail = 'update from non-nil value to nil is forbidden'
      errors.push(forbiddenValue('spec.volumeAttributesClassName', detail))
    }
    return errors
  },
}

/** The source of a volume without the Secret for expansion, which may be set later. */
function sourceOf(spec: JsonObject, before: JsonObject): JsonObject {
  const source = Object.fromEntries(SOURCES.map((name) => [name, spec[name] ?? null]))
  const { csi } = spec
  if (isObject(csi) && isObject(before['csi']) && before['csi']['controllerExpandSecretRef'] === undefined) {
    const { controllerExpandSecretRef: _, ...rest } = csi
    source['csi'] = rest
  }
  return source
}

/** Validates the spec of a volume; `inline` where it is in a VolumeAttachment. */
export function validateVolumeSpec(
  spec: JsonObject,
  field: string,
  name: string,
  inline = false,
): FieldError[] {
  const errors = inline ? inlineErrors(spec, field) : []
  const policy = spec['persistentVolumeReclaimPolicy']
  if (listOf(spec['accessModes']).length === 0) errors.push(requiredValue(`${field}.accessModes`))
  addAll(errors, accessModeErrors(spec['accessModes'], `${field}.accessModes`))
  if (!inline) {
    addAll(errors, capacityErrors(spec, `${field}.capacity`))
    addAll(errors, oneOf(policy, POLICIES, `${field}.persistentVolumeReclaimPolicy`))
  } else if (policy && policy !== 'Retain') {
    const detail = 'may only be Retain in the context of inline volumes'
    errors.push(forbiddenValue(`${field}.persistentVolumeReclaimPolicy`, detail))
  }
  const { nodeAffinity, hostPath } = spec
  if (isObject(nodeAffinity)) {
    const at = `${field}.nodeAffinity`
    if (inline) errors.push(forbiddenValue(at, NOT_INLINE))
    else if (isObject(nodeAffinity['required'])) {
      addAll(errors, validateNodeSelector(nodeAffinity['required'], `${at}.required`))
    } else errors.push(requiredValue(`${at}.required`, 'must specify required node constraints'))
  }
  addAll(errors, sourceErrors(spec, field, name, !inline && isObject(nodeAffinity)))
  if (policy === 'Recycle' && isObject(hostPath) && isRoot(textOf(hostPath['path'] ?? ''))) {
    const detail = "may not be 'recycle' for a hostPath mount of '/'"
    errors.push(forbiddenValue(`${field}.persistentVolumeReclaimPolicy`, detail))
  }
  if (inline) return [...errors, ...inlineClassErrors(spec, field)]
  addAll(
    errors,
    optionalName(spec['storageClassName'], `${field}.storageClassName`),
    oneOf(spec['volumeMode'], VOLUME_MODES, `${field}.volumeMode`),
  )
  const { volumeAttributesClassName } = spec
  if (volumeAttributesClassName === undefined) return errors
  const at = `${field}.volumeAttributesClassName`
  if (volumeAttributesClassName === '') errors.push(requiredValue(at, 'an empty string is disallowed'))
  else addAll(errors, named(volumeAttributesClassName, at, subdomainProblems))
  if (!isObject(spec['csi'])) {
    const detail = 'has to be specified when using volumeAttributesClassName'
    errors.push(requiredValue(`${field}.csi`, detail))
  }
  return errors
}

/** Whether a path, once `.` and `..` are resolved, is the root. */
function isRoot(path: string): boolean {
  let depth = 0
  for (const segment of path.split('/')) {
    if (segment === '..') depth = Math.max(0, depth - 1)
    else if (segment !== '' && segment !== '.') depth++
  }
  return path.startsWith('/') && depth === 0
}

const NOT_INLINE = 'may not be specified in the context of inline volumes'

function inlineErrors(spec: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (isObject(spec['claimRef'])) errors.push(forbiddenValue(`${field}.claimRef`, NOT_INLINE))
  if (Object.keys(objectOf(spec['capacity'])).length > 0)
    errors.push(forbiddenValue(`${field}.capacity`, NOT_INLINE))
  if (isObject(spec['csi'])) return errors
  return [...errors, requiredValue(`${field}.csi`, 'has to be specified in the context of inline volumes')]
}

function inlineClassErrors({ storageClassName, volumeMode }: JsonObject, field: string): FieldError[] {
  const errors: FieldError[] = []
  if (storageClassName) errors.push(forbiddenValue(`${field}.storageClassName`, NOT_INLINE))
  if (volumeMode === undefined || volumeMode === 'Filesystem') return errors
  const detail = 'may not specify volumeMode other than Filesystem in the context of inline volumes'
  return [...errors, forbiddenValue(`${field}.volumeMode`, detail)]
}

function capacityErrors(spec: JsonObject, field: string): FieldError[] {
  const capacity = objectOf(spec['capacity'])
  const names = Object.keys(capacity)
  const errors = names.length === 0 ? [requiredValue(field)] : []
  if (!names.includes('storage') || names.length > 1) {
    errors.push(unsupportedValue(field, shownAsSent(spec, 'capacity', {}), ['storage']))
  }
  for (const [name, amount] of Object.entries(capacity)) {
    addAll(errors, basicAmount(amount, `${field}[${name}]`), positiveQuantity(amount, `${field}[${name}]`))
  }
  return errors
}

function sourceErrors(spec: JsonObject, field: string, name: string, onNodes: boolean): FieldError[] {
  const present = SOURCES.filter((source) => isObject(spec[source]))
  if (present.length === 0) return [requiredValue(field, 'must specify a volume type')]
  return present.flatMap((source, index) => {
    const at = `${field}.${source}`
    if (index > 0 && source !== 'flexVolume') {
      const shown = source === 'cephfs' ? `${field}.cephFS` : at
      return [forbiddenValue(shown, 'may not specify more than 1 volume type')]
    }
    const own = source === 'gcePersistentDisk' ? `${field}.persistentDisk` : at
    const value = objectOf(spec[source])
    const errors = SOURCE_CHECKS[source]?.(value, own, true) ?? []
    if (source === 'local' && !onNodes) {
      errors.push(requiredValue(`${field}.nodeAffinity`, 'Local volume requires node affinity'))
    }
    const portal = textOf(value['targetPortal'] ?? '')
    const length = byteLength(`${name}:${portal}`)
    if (source === 'iscsi' && value['initiatorName'] !== undefined && length > 64) {
      const detail =
        'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
      errors.push(invalidValue(`${at}.targetportal`, portal, detail))
    }
    return errors
  })
}
