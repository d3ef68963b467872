import { eachObject, named, objectsIn } from '../../checks/index.ts'
import {
  duplicateValue,
  type FieldError,
  invalidValue,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  objectOf,
  requiredValue,
  subdomainProblems,
  textOf,
} from '../../schema/index.ts'

/** Validates the resource claims in a Pod's status. */
export function claimStatusErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  return [
    ...claimErrors(status['resourceClaimStatuses'], spec, 'status.resourceClaimStatuses'),
    ...extendedErrors(status['extendedResourceClaimStatus'], spec, 'status.extendedResourceClaimStatus'),
  ]
}

function claimErrors(statuses: unknown, spec: JsonObject, field: string): FieldError[] {
  const claims = new Set(objectsIn(spec['resourceClaims']).map(({ name }) => name))
  const seen = new Set<unknown>()
  return eachObject(statuses, field, ({ name = '', resourceClaimName }, at) => {
    const errors: FieldError[] = []
    if (!claims.has(name)) {
      const detail = 'must match the name of an entry in `spec.resourceClaims`'
      errors.push(invalidValue(`${at}.name`, name, detail))
    }
    if (seen.has(name)) errors.push(duplicateValue(`${at}.name`, name))
    seen.add(name)
    if (resourceClaimName === undefined) return errors
    return [...errors, ...named(resourceClaimName, `${at}.resourceClaimName`, subdomainProblems)]
  })
}

function extendedErrors(value: unknown, spec: JsonObject, field: string): FieldError[] {
  if (!isObject(value)) return []
  const containers = new Map(
    [...objectsIn(spec['initContainers']), ...objectsIn(spec['containers'])].map((one) => [one['name'], one]),
  )
  const mappings = `${field}.requestMappings`
  const seen = new Set<string>()
  const { requestMappings, resourceClaimName } = value
  return [
    ...(listOf(requestMappings).length === 0
      ? [requiredValue(mappings, 'at least one request mapping is required')]
      : []),
    ...eachObject(requestMappings, mappings, (mapping, at) => {
      const errors = [
        ...mappedErrors(mapping, containers, at),
        ...named(mapping['requestName'] ?? '', `${field}.requestName`, labelProblems),
      ]
      const parts = ['containerName', 'resourceName', 'requestName']
      const key = JSON.stringify(parts.map((part) => mapping[part] ?? ''))
      const twice = seen.has(key)
      seen.add(key)
      if (!twice) return errors
      return [...errors, ...parts.map((part) => duplicateValue(`${at}.${part}`, mapping[part] ?? ''))]
    }),
    ...(resourceClaimName
      ? named(resourceClaimName, `${field}.resourceClaimName`, subdomainProblems)
      : [requiredValue(`${field}.resourceClaimName`)]),
  ]
}

function mappedErrors(
  { containerName = '', resourceName = '' }: JsonObject,
  containers: ReadonlyMap<unknown, JsonObject>,
  field: string,
): FieldError[] {
  const container = containers.get(containerName)
  if (!container) {
    const detail = 'must match the name of an entry in spec.initContainers.name or spec.containers.name'
    return [invalidValue(`${field}.containerName`, containerName, detail)]
  }
  const { requests } = objectOf(container['resources'])
  if (Object.hasOwn(objectOf(requests), textOf(resourceName))) return []
  const detail =
    'must match the extended resource name of an entry in spec.initContainers.resources.requests or spec.containers.resources.requests'
  return [invalidValue(`${field}.resourceName`, resourceName, detail)]
}
