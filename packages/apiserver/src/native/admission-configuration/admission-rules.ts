import { named, oneOf } from '../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  type JsonObject,
  listOf,
  requiredValue,
  segmentProblems,
  textOf,
  unsupportedValue,
} from '../../schema/index.ts'

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE']
const SCOPES = ['*', 'Cluster', 'Namespaced']

/** Validates a rule of a webhook: its operations, groups, versions and resources. */
export function validateRule(rule: JsonObject, field: string): FieldError[] {
  return [
    ...operationErrors(listOf(rule['operations']), `${field}.operations`),
    ...wildcardErrors(rule['apiGroups'], `${field}.apiGroups`, 'API groups'),
    ...wildcardErrors(rule['apiVersions'], `${field}.apiVersions`, 'API versions'),
    ...emptyErrors(rule['apiVersions'], `${field}.apiVersions`),
    ...resourceErrors(listOf(rule['resources']).map(textOf), `${field}.resources`),
    ...oneOf(rule['scope'], SCOPES, `${field}.scope`),
  ]
}

/** Validates a rule of a policy, which may also name objects. */
export function validateNamedRule(rule: JsonObject, field: string): FieldError[] {
  const seen = new Set<unknown>()
  const errors = listOf(rule['resourceNames']).flatMap((name, index) => {
    const at = `${field}.resourceNames[${index}]`
    const wrong = named(name, at, segmentProblems)
    if (seen.has(name)) wrong.push(duplicateValue(at, name))
    seen.add(name)
    return wrong
  })
  return [...errors, ...validateRule(rule, field)]
}

function operationErrors(operations: readonly unknown[], field: string): FieldError[] {
  const errors = operations.length === 0 ? [requiredValue(field)] : []
  if (operations.length > 1 && operations.includes('*')) {
    errors.push(invalidValue(field, operations, "if '*' is present, must not specify other operations"))
  }
  for (const [index, operation] of operations.entries()) {
    if (OPERATIONS.includes(textOf(operation))) continue
    errors.push(unsupportedValue(`${field}[${index}]`, operation, OPERATIONS))
  }
  return errors
}

function wildcardErrors(value: unknown, field: string, what: string): FieldError[] {
  const list = listOf(value)
  if (list.length === 0) return [requiredValue(field)]
  if (list.length === 1 || !list.includes('*')) return []
  return [invalidValue(field, list, `if '*' is present, must not specify other ${what}`)]
}

function emptyErrors(value: unknown, field: string): FieldError[] {
  return listOf(value).flatMap((one, index) => (one === '' ? [requiredValue(`${field}[${index}]`)] : []))
}

function resourceErrors(resources: readonly string[], field: string): FieldError[] {
  const errors = resources.length === 0 ? [requiredValue(field)] : []
  const allOf = new Set<string>()
  const inAll = new Set<string>()
  let plain = false
  for (const [index, text] of resources.entries()) {
    const at = `${field}[${index}]`
    if (text === '') {
      errors.push(requiredValue(at))
      continue
    }
    const slash = text.indexOf('/')
    if (slash < 0) {
      plain = text !== '*'
      continue
    }
    const [resource, part] = [text.slice(0, slash), text.slice(slash + 1)]
    if (allOf.has(resource)) {
      errors.push(invalidValue(at, text, `if '${resource}/*' is present, must not specify ${text}`))
    }
    if (inAll.has(part))
      errors.push(invalidValue(at, text, `if '*/${part}' is present, must not specify ${text}`))
    if (part === '*') allOf.add(resource)
    if (resource === '*') inAll.add(part)
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalidValue(field, resources, "if '*/*' is present, must not specify other resources"))
  }
  if (resources.includes('*') && plain) {
    const detail = "if '*' is present, must not specify other resources without subresources"
    errors.push(invalidValue(field, resources, detail))
  }
  return errors
}
