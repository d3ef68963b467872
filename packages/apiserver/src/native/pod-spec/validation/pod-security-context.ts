import { eachObject, objectsIn, oneOf } from '../../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
  textOf,
  unsupportedValue,
} from '../../../schema/index.ts'
import { addAll } from '../../../work/index.ts'
import { idErrors, validateAppArmor, validateSeccomp, validateWindowsOptions } from './container-security.ts'

/** All containers of a Pod, each with its path. */
export function* containersOf(
  spec: JsonObject,
  field: string,
): Generator<[container: JsonObject, at: string]> {
  for (const kind of ['initContainers', 'containers', 'ephemeralContainers']) {
    for (const [index, container] of objectsIn(spec[kind]).entries()) {
      yield [container, `${field}.${kind}[${index}]`]
    }
  }
}

/** Validates the security context of a Pod. */
export function validatePodSecurity(spec: JsonObject, field: string): FieldError[] {
  const security = objectOf(spec['securityContext'])
  const at = `${field}.securityContext`
  const errors = ['fsGroup', 'runAsUser', 'runAsGroup'].flatMap((name) =>
    idErrors(security[name], `${at}.${name}`),
  )
  for (const [index, group] of listOf(security['supplementalGroups']).entries()) {
    addAll(errors, idErrors(group, `${at}.supplementalGroups[${index}]`))
  }
  if (spec['shareProcessNamespace'] === true && spec['hostPID'] === true) {
    const detail = 'ShareProcessNamespace and HostPID cannot both be enabled'
    errors.push(invalidValue(`${at}.shareProcessNamespace`, true, detail))
  }
  return [
    ...errors,
    ...sysctlErrors(spec, `${at}.sysctls`),
    ...oneOf(security['fsGroupChangePolicy'], ['Always', 'OnRootMismatch'], `${at}.fsGroupChangePolicy`),
    ...validateSeccomp(security['seccompProfile'], `${at}.seccompProfile`),
    ...validateWindowsOptions(security['windowsOptions'], `${at}.windowsOptions`),
    ...validateAppArmor(security['appArmorProfile'], `${at}.appArmorProfile`),
    ...oneOf(security['supplementalGroupsPolicy'], ['Merge', 'Strict'], `${at}.supplementalGroupsPolicy`),
    ...oneOf(security['seLinuxChangePolicy'], ['Recursive'], `${at}.seLinuxChangePolicy`),
  ]
}

const SEGMENT = '[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const SYSCTL = `^(${SEGMENT}[\\./])*${SEGMENT}$`
/** The sysctls of each namespace that a Pod can share with its node. */
const SHARED: readonly (readonly [RegExp, string])[] = [
  [/^net[./]/, 'hostNetwork'],
  [/^(kernel[./]shm|kernel[./]msg|kernel[./]sem$|fs[./]mqueue[./])/, 'hostIPC'],
]

function sysctlErrors(spec: JsonObject, field: string): FieldError[] {
  const seen = new Set<string>()
  return eachObject(objectOf(spec['securityContext'])['sysctls'], field, (sysctl, at) => {
    const name = textOf(sysctl['name'] ?? '')
    const errors: FieldError[] = []
    if (name === '') errors.push(requiredValue(`${at}.name`))
    else if (!isSysctl(name)) {
      const detail = `must have at most 253 characters and match regex ${SYSCTL}`
      errors.push(invalidValue(`${at}.name`, name, detail))
    } else if (seen.has(name)) errors.push(duplicateValue(`${at}.name`, name))
    for (const [pattern, part] of SHARED) {
      if (spec[part] !== true || !pattern.test(name)) continue
      errors.push(invalidValue(`${at}.name`, name, `may not be specified when '${part}' is true`))
    }
    seen.add(name)
    return errors
  })
}

/** Checks segment by segment, since one pattern for the whole name would backtrack on long names. */
function isSysctl(name: string): boolean {
  const segment = new RegExp(`^${SEGMENT}$`)
  return name.length <= 253 && name.split(/[./]/).every((part) => segment.test(part))
}

/** Validates Windows containers with `hostProcess`. */
export function validateHostProcess(spec: JsonObject, field: string): FieldError[] {
  const own = objectOf(objectOf(spec['securityContext'])['windowsOptions'])['hostProcess']
  const errors: FieldError[] = []
  let all = 0
  let host = 0
  for (const [container, at] of containersOf(spec, field)) {
    all++
    const value = objectOf(objectOf(container['securityContext'])['windowsOptions'])['hostProcess']
    if (own !== undefined && value !== undefined && own !== value) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${textOf(own)}`
      errors.push(invalidValue(`${at}.securityContext.windowsOptions.hostProcess`, value, detail))
    }
    if (value === true || (value === undefined && own === true)) host++
  }
  if (host === 0) return errors
  if (host !== all) {
    const detail =
      'If pod contains any hostProcess containers then all containers must be HostProcess containers'
    errors.push(invalidValue(field, '', detail))
  }
  if (spec['hostNetwork'] !== true) {
    const detail = 'hostNetwork must be true if pod contains any hostProcess containers'
    errors.push(invalidValue(`${field}.hostNetwork`, false, detail))
  }
  return errors
}

/** Validates a Pod with `hostUsers: false`, which cannot share namespaces with its node. */
export function validateHostUsers(spec: JsonObject, field: string): FieldError[] {
  if (spec['hostUsers'] !== false) return []
  const detail = 'when `hostUsers` is false'
  const errors = spec['hostNetwork'] === true ? [forbiddenValue(`${field}.hostNetwork`, detail)] : []
  if (spec['hostPID'] === true) errors.push(forbiddenValue(`${field}.HostPID`, detail))
  if (spec['hostIPC'] === true) errors.push(forbiddenValue(`${field}.HostIPC`, detail))
  for (const [container, at] of containersOf(spec, field)) {
    if (listOf(container['volumeDevices']).length > 0)
      errors.push(forbiddenValue(`${at}.volumeDevices`, detail))
  }
  return errors
}

const POD_LINUX_ONLY = [
  'appArmorProfile',
  'seLinuxOptions',
  '',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  '',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
]
const CONTAINER_LINUX_ONLY = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
]

/** Validates a Pod's operating system, and fields that this system does not have. */
export function validateOs(spec: JsonObject, field: string): FieldError[] {
  const { os } = spec
  if (!isObject(os)) return []
  if (!os['name']) return [requiredValue(`${field}.os.name`)]
  if (os['name'] !== 'linux' && os['name'] !== 'windows') {
    return [unsupportedValue(`${field}.os`, os['name'], ['linux', 'windows'])]
  }
  return os['name'] === 'linux' ? linuxErrors(spec, field) : windowsErrors(spec, field)
}

function linuxErrors(spec: JsonObject, field: string): FieldError[] {
  const detail = 'windows options cannot be set for a linux pod'
  const errors = isObject(objectOf(spec['securityContext'])['windowsOptions'])
    ? [forbiddenValue(`${field}.securityContext.windowsOptions`, detail)]
    : []
  for (const [container, at] of containersOf(spec, field)) {
    if (isObject(objectOf(container['securityContext'])['windowsOptions'])) {
      errors.push(forbiddenValue(`${at}.securityContext.windowsOptions`, detail))
    }
  }
  return errors
}

function windowsErrors(spec: JsonObject, field: string): FieldError[] {
  const detail = 'cannot be set for a windows pod'
  const errors: FieldError[] = []
  const security = objectOf(spec['securityContext'])
  // Fields beside the security context that Kubernetes checks between the context's own fields.
  const beside = [['hostUsers', 'hostPID', 'hostIPC'], ['shareProcessNamespace']]
  for (const name of POD_LINUX_ONLY) {
    if (name !== '') {
      if (security[name] !== undefined)
        errors.push(forbiddenValue(`${field}.securityContext.${name}`, detail))
      continue
    }
    for (const part of beside.shift() ?? []) {
      const value = spec[part]
      if (
        value !== undefined &&
        (value !== false || part === 'hostUsers' || part === 'shareProcessNamespace')
      ) {
        errors.push(forbiddenValue(`${field}.${part}`, detail))
      }
    }
  }
  for (const [container, at] of containersOf(spec, field)) {
    for (const name of CONTAINER_LINUX_ONLY) {
      if (objectOf(container['securityContext'])[name] === undefined) continue
      errors.push(forbiddenValue(`${at}.securityContext.${name}`, detail))
    }
  }
  return errors
}
