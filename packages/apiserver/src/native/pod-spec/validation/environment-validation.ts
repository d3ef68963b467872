import { labelKeyProblems } from '@homeostat/api'
import { eachObject, named, noSteppingBack, requiredName } from '../../../checks/index.ts'
import {
  canonicalQuantity,
  configKeyProblems,
  environmentNameProblems,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  nameFrom,
  objectOf,
  parseQuantity,
  requiredValue,
  subdomainProblems,
  textOf,
  unsupportedValue,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'

/** Validates the environment variables of a container. */
export function validateEnvironment(container: JsonObject, field: string): FieldError[] {
  return [
    ...eachObject(container['env'], `${field}.env`, validateVariable),
    ...eachObject(container['envFrom'], `${field}.envFrom`, (source, at) =>
      validateSource(source, at, `${field}.envFrom`),
    ),
  ]
}

const ENV_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]
const SOURCES = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'] as const

function validateVariable(variable: JsonObject, field: string): FieldError[] {
  const errors = requiredName(variable['name'], `${field}.name`, environmentNameProblems)
  const { valueFrom } = variable
  if (!isObject(valueFrom)) return errors
  const at = `${field}.valueFrom`
  const sources = SOURCES.filter((source) => isObject(valueFrom[source]))
  for (const source of sources) {
    addAll(errors, referenceErrors(source, objectOf(valueFrom[source]), `${at}.${source}`))
  }
  if (sources.length === 0) {
    const detail =
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'
    errors.push(invalidValue(at, '', detail))
  } else if (variable['value']) {
    errors.push(invalidValue(at, '', 'may not be specified when `value` is not empty'))
  } else if (sources.length > 1) {
    errors.push(invalidValue(at, '', 'may not have more than one field specified at a time'))
  }
  return errors
}

function referenceErrors(
  source: (typeof SOURCES)[number],
  reference: JsonObject,
  field: string,
): FieldError[] {
  switch (source) {
    case 'fieldRef':
      return validateFieldReference(reference, ENV_PATHS, field)
    case 'resourceFieldRef':
      return validateResourceReference(reference, field, false)
    case 'fileKeyRef':
      return [
        ...requiredName(reference['key'], `${field}.key`, environmentNameProblems),
        ...requiredName(reference['volumeName'], `${field}.volumeName`, labelProblems),
        ...(reference['path']
          ? noSteppingBack(reference['path'], `${field}.path`)
          : [requiredValue(`${field}.path`)]),
      ]
    default:
      return [
        ...named(reference['name'], `${field}.name`, subdomainProblems),
        ...requiredName(reference['key'], `${field}.key`, configKeyProblems),
      ]
  }
}

/** The fields of a Pod that a reference can name. */
const KNOWN_PATHS = new Set([
  ...ENV_PATHS,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
])

/** Validates a reference to a field of the Pod; `allowed` are the fields that it may name. */
export function validateFieldReference(
  reference: JsonObject,
  allowed: readonly string[],
  field: string,
): FieldError[] {
  const version = textOf(reference['apiVersion'] ?? '')
  const path = textOf(reference['fieldPath'] ?? '')
  if (version === '') return [requiredValue(`${field}.apiVersion`)]
  if (path === '') return [requiredValue(`${field}.fieldPath`)]
  const refuse = (why: string): FieldError[] => [
    invalidValue(`${field}.fieldPath`, path, `error converting fieldPath: ${why}`),
  ]
  if (version !== 'v1') return refuse(`unsupported pod version: ${version}`)
  const subscript = /^(.+?)\['(.*)'\]$/s.exec(path)
  if (subscript) {
    const [, of = '', key = ''] = subscript
    if (of === 'metadata.annotations') return named(key.toLowerCase(), field, labelKeyProblems)
    if (of === 'metadata.labels') return named(key, field, labelKeyProblems)
    return refuse(`field label does not support subscript: ${path}`)
  }
  if (!KNOWN_PATHS.has(path) && path !== 'spec.host') return refuse(`field label not supported: ${path}`)
  if (allowed.includes(path)) return []
  return [unsupportedValue(`${field}.fieldPath`, path, [...allowed].sort())]
}

const RESOURCE_PATHS = ['limits', 'requests'].flatMap((part) =>
  ['cpu', 'ephemeral-storage', 'memory'].map((name) => `${part}.${name}`),
)
const SIZES = [
  '1',
  ...['k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((one) => `1${one}`),
]

/** Validates a reference to a container's resource. In a volume it must name the container. */
export function validateResourceReference(
  reference: JsonObject,
  field: string,
  inVolume: boolean,
): FieldError[] {
  const resource = textOf(reference['resource'] ?? '')
  const errors: FieldError[] = []
  const hugePages = /^(requests|limits)\.hugepages-/.test(resource)
  if (inVolume && !reference['containerName']) errors.push(requiredValue(`${field}.containerName`))
  else if (resource === '') errors.push(requiredValue(`${field}.resource`))
  else if (!RESOURCE_PATHS.includes(resource) && !hugePages) {
    errors.push(unsupportedValue(`${field}.resource`, resource, RESOURCE_PATHS))
  }
  const divisor = parseQuantity(reference['divisor'])
  if (!divisor || divisor.mantissa === 0n) return errors
  const text = canonicalQuantity(divisor)
  const refuse = (allowed: readonly string[], of: string): void => {
    if (allowed.includes(text)) return
    const list = allowed.length === 2 ? allowed.join(' and ') : allowed.join(', ')
    errors.push(
      invalidValue(
        `${field}.divisor`,
        resource,
        `only divisor's values ${list} are supported with the ${of}`,
      ),
    )
  }
  if (resource.endsWith('.cpu')) refuse(['1m', '1'], 'cpu resource')
  else if (resource.endsWith('.memory')) refuse(SIZES, 'memory resource')
  else if (resource.endsWith('.ephemeral-storage')) refuse(SIZES, 'local ephemeral storage resource')
  else if (hugePages) refuse(SIZES, 'hugepages resource')
  return errors
}

/** The problems of the name of a source of variables. As in Kubernetes, it is checked as the beginning of a name, and may end in a dash. */
function beginningProblems(name: string): string[] {
  return subdomainProblems(nameFrom(name))
}

function validateSource(source: JsonObject, field: string, list: string): FieldError[] {
  const { configMapRef, secretRef, prefix } = source
  const errors = prefix ? named(prefix, `${field}.prefix`, environmentNameProblems) : []
  for (const name of ['configMapRef', 'secretRef']) {
    const reference = source[name]
    if (isObject(reference)) {
      addAll(errors, requiredName(reference['name'], `${field}.${name}.name`, beginningProblems))
    }
  }
  if (!isObject(configMapRef) && !isObject(secretRef)) {
    errors.push(invalidValue(list, '', 'must specify one of: `configMapRef` or `secretRef`'))
  } else if (isObject(configMapRef) && isObject(secretRef)) {
    errors.push(invalidValue(list, '', 'may not have more than one field specified at a time'))
  }
  return errors
}
