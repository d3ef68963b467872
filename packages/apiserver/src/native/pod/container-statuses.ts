import { eachObject, objectsIn } from '../../checks/index.ts'
import {
  byteLength,
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
  tooLong,
  unsupportedValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'
import { idErrors } from '../pod-spec/validation/container-security.ts'

const FIELDS = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses'] as const

const HEALTH = ['Healthy', 'Unhealthy', 'Unknown']
const LONGEST_MESSAGE = 1024

/** Validates the users of containers, and the health of their resources, in a Pod's status. */
export function containerStatusErrors(status: JsonObject, spec: JsonObject): FieldError[] {
  const errors = FIELDS.flatMap((field) =>
    eachObject(status[field], `status.${field}`, ({ user }, at) =>
      userErrors(objectOf(user)['linux'], spec, `${at}.user.linux`),
    ),
  )
  for (const [field, kind] of [
    ['containerStatuses', 'containers'],
    ['initContainerStatuses', 'initContainers'],
  ] as const) {
    const containers = objectsIn(spec[kind])
    addAll(
      errors,
      eachObject(status[field], `status.${field}`, ({ name, allocatedResourcesStatus }, at) => {
        const container = containers.find((one) => one['name'] === name)
        return eachObject(allocatedResourcesStatus, `${at}.allocatedResourcesStatus`, (resource, place) =>
          resourceErrors(resource, container, place),
        )
      }),
    )
  }
  const ephemeral = 'ephemeralContainerStatuses'
  return [
    ...errors,
    ...eachObject(status[ephemeral], `status.${ephemeral}`, ({ allocatedResourcesStatus }, at) =>
      listOf(allocatedResourcesStatus).length === 0
        ? []
        : [forbiddenValue(`${at}.allocatedResourcesStatus`, 'must not be specified in container status')],
    ),
  ]
}

function userErrors(linux: unknown, { os }: JsonObject, field: string): FieldError[] {
  if (!isObject(linux)) return []
  const system = objectOf(os)['name'] ?? 'linux'
  if (system === 'windows') return [forbiddenValue(field, 'cannot be set for a windows pod')]
  if (system !== 'linux') return []
  return [
    ...idErrors(linux['uid'], `${field}.uid`),
    ...idErrors(linux['gid'], `${field}.gid`),
    ...listOf(linux['supplementalGroups']).flatMap((group, index) =>
      idErrors(group, `${field}.supplementalGroups[${index}]`),
    ),
  ]
}

/** `container` is undefined where the Pod has none of this name: then the name of the resource is not checked. */
function resourceErrors(
  { name = '', resources }: JsonObject,
  container: JsonObject | undefined,
  field: string,
): FieldError[] {
  const errors = container ? nameErrors(textOf(name), objectOf(container['resources']), `${field}.name`) : []
  const seen = new Set<unknown>()
  addAll(
    errors,
    eachObject(resources, `${field}.resources`, ({ health = '', message, resourceID = '' }, at) => {
      const problems: FieldError[] = []
      if (!HEALTH.includes(textOf(health))) problems.push(unsupportedValue(`${at}.health`, health, HEALTH))
      if (message === '') problems.push(requiredValue(`${at}.message`, 'must be non-empty if specified'))
      else if (byteLength(textOf(message ?? '')) > LONGEST_MESSAGE)
        problems.push(tooLong(`${at}.message`, LONGEST_MESSAGE))
      if (seen.has(resourceID)) problems.push(duplicateValue(`${at}.resourceID`, resourceID))
      seen.add(resourceID)
      return problems
    }),
  )
  return errors
}

function nameErrors(name: string, { claims, requests }: JsonObject, field: string): FieldError[] {
  if (!name.startsWith('claim:')) {
    if (Object.hasOwn(objectOf(requests), name)) return []
    return [invalidValue(field, name, "must match one of the container's resource requests")]
  }
  const known = objectsIn(claims).map(
    (claim) => `claim:${textOf(claim['name'])}${claim['request'] ? `/${textOf(claim['request'])}` : ''}`,
  )
  if (known.includes(name)) return []
  const detail =
    "must match one of the container's resource claims in a format 'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
  return [invalidValue(field, name, detail)]
}
