import { labelKeyProblems } from '@homeostat/api'
import { named } from '../../checks/index.ts'
import { type FieldError, invalidValue } from '../../schema/index.ts'

/** The names of resources in containers, quotas and LimitRanges. */

const CONTAINER = new Set(['cpu', 'memory', 'ephemeral-storage'])
const OBJECTS = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const QUOTA = new Set([
  ...CONTAINER,
  ...['cpu', 'memory', 'storage', 'ephemeral-storage'].map((name) => `requests.${name}`),
  ...['cpu', 'memory', 'ephemeral-storage'].map((name) => `limits.${name}`),
  ...OBJECTS,
])

/** Whether the resource is huge pages of any size. */
export function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-')
}

/** Whether the resource belongs to Kubernetes: its name has no prefix or the prefix `kubernetes.io/`. */
export function isNativeResource(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** Whether limits may exceed requests, so that a node can promise more than it has. */
export function isOvercommitAllowed(name: string): boolean {
  return isNativeResource(name) && !isHugePages(name)
}

/** Whether the resource is an extended one, which a vendor defines. */
export function isExtendedResource(name: string): boolean {
  if (isNativeResource(name) || name.startsWith('requests.')) return false
  return labelKeyProblems(`requests.${name}`).length === 0
}

/** Whether quantities of the resource must be whole numbers. */
export function isWholeResource(name: string): boolean {
  return OBJECTS.includes(name) || isExtendedResource(name)
}

/** Whether a quota can limit the resource. */
export function isQuotaResource(name: string): boolean {
  return QUOTA.has(name) || isHugePages(name) || name.startsWith('requests.hugepages-')
}

/** Validates the name of a resource. */
export function resourceName(name: string, field: string): FieldError[] {
  const errors = named(name, field, labelKeyProblems)
  if (errors.length > 0 || name.includes('/') || name === 'storage' || isQuotaResource(name)) return errors
  return [invalidValue(field, name, 'must be a standard resource type or fully qualified')]
}

/** Validates the name of a resource that a container requests. */
export function containerResourceName(name: string, field: string): FieldError[] {
  const errors = resourceName(name, field)
  if (!name.includes('/')) {
    if (!CONTAINER.has(name) && !isHugePages(name)) {
      errors.push(invalidValue(field, name, 'must be a standard resource for containers'))
    }
  } else if (!isNativeResource(name) && !isExtendedResource(name)) {
    errors.push(invalidValue(field, name, "doesn't follow extended resource name standard"))
  }
  return errors
}
