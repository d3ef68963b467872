import { between, descendingPath, named } from '../../../checks/index.ts'
import {
  byteLength,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  RawJson,
  requiredValue,
  subdomainProblems,
  textOf,
  tooLong,
  unsupportedValue,
} from '../../../schema/index.ts'
import { addAll, latePattern } from '../../../work/index.ts'

const LARGEST_ID = 2 ** 31 - 1

/** Validates the id of a user or a group, where it is set. */
export function idErrors(value: unknown, field: string): FieldError[] {
  return between(value, 0, LARGEST_ID, field)
}

/** Validates the security context of a container. */
export function validateContainerSecurity(value: unknown, field: string, spec: JsonObject): FieldError[] {
  if (!isObject(value)) return []
  const { privileged, procMount, allowPrivilegeEscalation } = value
  const errors = [
    ...idErrors(value['runAsUser'], `${field}.runAsUser`),
    ...idErrors(value['runAsGroup'], `${field}.runAsGroup`),
  ]
  if (procMount !== undefined) {
    if (procMount !== 'Default' && procMount !== 'Unmasked') {
      errors.push(unsupportedValue(`${field}.procMount`, procMount, ['Default', 'Unmasked']))
    }
    if (spec['hostUsers'] !== false && procMount === 'Unmasked') {
      const detail = '`hostUsers` must be false to use `Unmasked`'
      errors.push(invalidValue(`${field}.procMount`, procMount, detail))
    }
  }
  addAll(errors, validateSeccomp(value['seccompProfile'], `${field}.seccompProfile`))
  if (allowPrivilegeEscalation === false) {
    const refuse = (what: string): void => {
      const detail = `cannot set \`allowPrivilegeEscalation\` to false and ${what}`
      errors.push(invalidValue(field, new RawJson('{"Capabilities":…}'), detail))
    }
    if (privileged === true) refuse('`privileged` to true')
    for (const one of listOf(objectOf(value['capabilities'])['add'])) {
      if (one === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN')
    }
  }
  return [
    ...errors,
    ...validateWindowsOptions(value['windowsOptions'], `${field}.windowsOptions`),
    ...validateAppArmor(value['appArmorProfile'], `${field}.appArmorProfile`),
  ]
}

const PROFILES = ['Localhost', 'RuntimeDefault', 'Unconfined']

/** Validates a seccomp profile. */
export function validateSeccomp(value: unknown, field: string): FieldError[] {
  if (!isObject(value)) return []
  const { type, localhostProfile } = value
  const errors: FieldError[] = []
  if (!type) errors.push(requiredValue(`${field}.type`, 'type is required when seccompProfile is set'))
  else if (!PROFILES.includes(textOf(type))) errors.push(unsupportedValue(`${field}.type`, type, PROFILES))
  const at = `${field}.localhostProfile`
  if (type === 'Localhost') {
    if (localhostProfile === undefined) {
      errors.push(requiredValue(at, 'must be set when seccomp type is Localhost'))
    } else addAll(errors, descendingPath(localhostProfile, at))
  } else if (localhostProfile !== undefined) {
    const shown = RawJson.object(['Type', type], ['LocalhostProfile', localhostProfile])
    errors.push(invalidValue(at, shown, 'can only be set when seccomp type is Localhost'))
  }
  return errors
}

/** Validates an AppArmor profile. */
export function validateAppArmor(value: unknown, field: string): FieldError[] {
  if (!isObject(value)) return []
  const { type, localhostProfile } = value
  const at = `${field}.localhostProfile`
  switch (type) {
    case 'Localhost': {
      const missing = requiredValue(at, 'must be set when AppArmor type is Localhost')
      if (localhostProfile === undefined) return [missing]
      const text = textOf(localhostProfile)
      const errors =
        text !== text.trim()
          ? [invalidValue(at, text, 'must not be padded with whitespace')]
          : text === ''
            ? [missing]
            : []
      return byteLength(text) > 4_095 ? [...errors, tooLong(at, 4_095)] : errors
    }
    case 'RuntimeDefault':
    case 'Unconfined':
      return localhostProfile === undefined
        ? []
        : [invalidValue(at, localhostProfile, 'can only be set when AppArmor type is Localhost')]
    case undefined:
    case '':
      return [requiredValue(`${field}.type`, 'type is required when appArmorProfile is set')]
    default:
      return [unsupportedValue(`${field}.type`, type, PROFILES)]
  }
}

/** Validates the options for Windows. */
export function validateWindowsOptions(value: unknown, field: string): FieldError[] {
  if (!isObject(value)) return []
  const { gmsaCredentialSpecName, gmsaCredentialSpec, runAsUserName } = value
  const errors: FieldError[] = []
  if (gmsaCredentialSpecName !== undefined) {
    addAll(errors, named(gmsaCredentialSpecName, `${field}.gmsaCredentialSpecName`, subdomainProblems))
  }
  if (gmsaCredentialSpec !== undefined) {
    const at = `${field}.gmsaCredentialSpec`
    const length = byteLength(textOf(gmsaCredentialSpec))
    if (length === 0) {
      errors.push(invalidValue(at, gmsaCredentialSpec, 'gmsaCredentialSpec cannot be an empty string'))
    } else if (length > 64 * 1024) {
      errors.push(invalidValue(at, gmsaCredentialSpec, 'gmsaCredentialSpec size must be under 64 KiB'))
    }
  }
  if (runAsUserName === undefined) return errors
  const name = textOf(runAsUserName)
  const problems = windowsUserProblems(name)
  return [...errors, ...problems.map((problem) => invalidValue(`${field}.runAsUserName`, name, problem))]
}

const NETBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/
const control = latePattern(String.raw`\p{Cc}`, 'u')
const DNS_LABEL = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?'

function windowsUserProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string']
  if (control().test(name)) return ['runAsUserName cannot contain control characters']
  const parts = name.split('\\')
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash']
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined
  const user = parts.at(-1) ?? ''
  const problems: string[] = []
  if (byteLength(domain ?? '') >= 256)
    problems.push("runAsUserName's Domain length must be under 256 characters")
  const isDomain = domain === undefined || NETBIOS.test(domain) || isDnsName(domain)
  if (!isDomain) problems.push("runAsUserName's Domain doesn't match the NetBios nor the DNS format")
  if (user === '') problems.push("runAsUserName's User cannot be empty")
  else if (byteLength(user) > 104) {
    problems.push("runAsUserName's User length must not be longer than 104 characters")
  }
  if (/^[. ]+$/.test(user)) problems.push("runAsUserName's User cannot contain only periods or spaces")
  if (/["/\\:;|=,+*?<>@[\]]/.test(user)) {
    problems.push('runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]')
  }
  return problems
}

function isDnsName(text: string): boolean {
  return text.split('.').every((label) => new RegExp(`^${DNS_LABEL}$`).test(label))
}
