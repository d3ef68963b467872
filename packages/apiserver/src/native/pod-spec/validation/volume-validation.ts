import {
  fileMode,
  named,
  requiredName,
  requiredOneOf,
  validateTemplateMetadata,
} from '../../../checks/index.ts'
import {
  byteLength,
  compareQuantities,
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  parseQuantity,
  requiredValue,
  subdomainProblems,
  textOf,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'
import { validateClaimSpec } from '../../persistent-volume-claim/persistent-volume-claim.ts'
import { PULL_POLICIES } from './container-validation.ts'
import type { Volumes } from './mount-validation.ts'
import { validateDownward, validateKeys, validateProjected } from './projected-volume.ts'
import { SOURCE_CHECKS } from './volume-sources.ts'

/** The sources of a volume, in the order in which Kubernetes checks them. */
const SOURCES = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
]
/** Sources whose names in Kubernetes' messages differ from the field. */
const SECOND: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ cephfs: 'cephFS', downwardAPI: 'downwarAPI' }),
)
const OWN_NAME: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ gcePersistentDisk: 'persistentDisk' }),
)

/**
 * Validates the volumes of a Pod, and returns the valid ones. `pod` is the Pod's name, which a template does not
 * have.
 */
export function validateVolumes(
  value: unknown,
  field: string,
  pod: string | undefined,
): { readonly errors: FieldError[]; readonly volumes: Volumes } {
  const errors: FieldError[] = []
  const volumes = new Map<string, JsonObject>()
  const made = new Set<string>()
  for (const volume of listOf(value).map(objectOf)) {
    if (pod && isObject(volume['ephemeral'])) made.add(`${pod}-${textOf(volume['name'] ?? '')}`)
  }
  for (const [index, item] of listOf(value).entries()) {
    const volume = objectOf(item)
    const at = `${field}[${index}]`
    const name = textOf(volume['name'] ?? '')
    const wrong = sourceErrors(volume, at, pod)
    addAll(wrong, requiredName(name, `${at}.name`, labelProblems))
    if (volumes.has(name)) wrong.push(duplicateValue(`${at}.name`, name))
    if (wrong.length === 0) volumes.set(name, volume)
    addAll(errors, wrong)
    const claim = objectOf(volume['persistentVolumeClaim'])['claimName']
    if (made.has(textOf(claim))) {
      const detail = 'must not reference a PVC that gets created for an ephemeral volume'
      errors.push(invalidValue(`${at}.persistentVolumeClaim.claimName`, claim, detail))
    }
  }
  return { errors, volumes }
}

function sourceErrors(volume: JsonObject, field: string, pod: string | undefined): FieldError[] {
  const present = SOURCES.filter((source) => isObject(volume[source]))
  const [first] = present
  if (first === undefined) return [requiredValue(field, 'must specify a volume type')]
  const errors = present.flatMap((source, index) => {
    if (index > 0) {
      const at = `${field}.${SECOND.get(source) ?? source}`
      return [forbiddenValue(at, 'may not specify more than 1 volume type')]
    }
    return checkSource(source, volume, `${field}.${OWN_NAME.get(source) ?? source}`, field, pod)
  })
  return [...errors, ...portalErrors(volume, field)]
}

/** Validates how long the name of an iSCSI volume is, also where the volume has another source, too. */
function portalErrors({ name, iscsi }: JsonObject, field: string): FieldError[] {
  const { initiatorName, targetPortal } = objectOf(iscsi)
  const length = byteLength(`${textOf(name ?? '')}:${textOf(targetPortal ?? '')}`)
  if (initiatorName === undefined || length <= 64) return []
  const detail =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'
  return [invalidValue(`${field}.name`, name ?? '', detail)]
}

function checkSource(
  source: string,
  volume: JsonObject,
  field: string,
  at: string,
  pod: string | undefined,
): FieldError[] {
  const value = objectOf(volume[source])
  switch (source) {
    case 'emptyDir': {
      const limit = parseQuantity(value['sizeLimit'])
      const zero = { mantissa: 0n, exponent: 0, form: 'decimal' } as const
      if (!limit || compareQuantities(limit, zero) >= 0) return []
      return [forbiddenValue(`${field}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
    }
    case 'secret':
      return keyedErrors(value, 'secretName', field)
    case 'configMap':
      return keyedErrors(value, 'name', field)
    case 'persistentVolumeClaim':
      return value['claimName'] ? [] : [requiredValue(`${field}.claimName`)]
    case 'downwardAPI':
      return [
        ...fileMode(value['defaultMode'], `${field}.defaultMode`),
        ...listOf(value['items']).flatMap((item) => validateDownward(objectOf(item), field)),
      ]
    case 'projected':
      return validateProjected(value, field)
    case 'ephemeral':
      return ephemeralErrors(value, field, at, textOf(volume['name'] ?? ''), pod)
    case 'image':
      return [
        ...(pod !== undefined && !value['reference'] ? [requiredValue(`${field}.reference`)] : []),
        ...requiredOneOf(value['pullPolicy'], PULL_POLICIES, `${field}.pullPolicy`),
      ]
    default:
      return SOURCE_CHECKS[source]?.(value, field, false) ?? []
  }
}

function keyedErrors(source: JsonObject, name: string, field: string): FieldError[] {
  return [
    ...(source[name] ? [] : [requiredValue(`${field}.${name}`)]),
    ...fileMode(source['defaultMode'], `${field}.defaultMode`),
    ...validateKeys(source['items'], `${field}.items`),
  ]
}

function ephemeralErrors(
  source: JsonObject,
  field: string,
  at: string,
  name: string,
  pod: string | undefined,
): FieldError[] {
  const { volumeClaimTemplate } = source
  const where = `${field}.volumeClaimTemplate`
  const errors: FieldError[] = []
  if (!isObject(volumeClaimTemplate)) errors.push(requiredValue(where))
  else {
    addAll(errors, validateTemplateMetadata(volumeClaimTemplate['metadata'], `${where}.metadata`))
    addAll(errors, validateClaimSpec(objectOf(volumeClaimTemplate['spec']), `${where}.spec`))
  }
  if (!pod || name === '') return errors
  const claim = `${pod}-${name}`
  const problems = named(claim, '', subdomainProblems).length > 0 ? subdomainProblems(claim) : []
  return [
    ...errors,
    ...problems.map((problem) =>
      invalidValue(`${at}.name`, name, `PVC name ${JSON.stringify(claim)}: ${problem}`),
    ),
  ]
}
