import {
  addQuantities,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  type Quantity,
  textOf,
} from '../../schema/index.ts'
import { isHugePages, isNativeResource } from '../compute-resources/resource-names.ts'
import { podResources } from '../limit-range/limit-problems.ts'
import { qualityOfService } from '../pod/quality-of-service.ts'
import { type Amounts, amountsOf, countOf } from './amounts.ts'
import { meetsScope, type MeasuredWrite, type QuotaEvaluator, type ScopeRequirement } from './evaluator.ts'

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage']
const NAMES = new Set([
  'count/pods',
  'pods',
  ...COMPUTE,
  ...COMPUTE.map((name) => `requests.${name}`),
  ...COMPUTE.map((name) => `limits.${name}`),
])
/** The resources that every container must set where a quota limits them. */
const REQUIRED = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory']
const DEVICE_CLASS = 'requests.deviceclass.resource.kubernetes.io/'

/** Counts Pods, their requests and their limits. Pods that have ended count only as objects. */
export const podEvaluator: QuotaEvaluator = {
  handles,
  measures: (name) =>
    NAMES.has(name) ||
    isHugePages(name) ||
    name.startsWith('requests.hugepages-') ||
    (name.startsWith('requests.') && (!isNativeResource(name) || name.startsWith(DEVICE_CLASS))),
  usage: usageOf,
  isInScope: (pod, scope) => isInScope(objectOf(pod['spec']), scope),
  missing: (pod, names) => missing(objectOf(pod['spec']), names),
}

function handles({ operation, subresource, object, oldObject }: MeasuredWrite): boolean {
  if (subresource === 'resize') return operation === 'UPDATE'
  if (subresource !== undefined) return false
  if (operation !== 'UPDATE') return operation === 'CREATE'
  return isTerminating(objectOf(object?.['spec'])) !== isTerminating(objectOf(oldObject?.['spec']))
}

function usageOf(pod: JsonObject, now: number): Amounts {
  const count = new Map([['count/pods', countOf(1)]])
  if (hasEnded(pod, now)) return count
  const spec = objectOf(pod['spec'])
  const { requests, limits } = podResources(spec)
  const [asked, most] = [new Map(amountsOf(requests)), new Map(amountsOf(limits))]
  for (const [name, overhead] of amountsOf(spec['overhead'])) {
    const known = asked.get(name)
    asked.set(name, known ? addQuantities(known, overhead) : overhead)
    const limit = most.get(name)
    if (limit && limit.mantissa !== 0n) most.set(name, addQuantities(limit, overhead))
  }
  return new Map([...count, ...computeUsage(asked, most)])
}

/** The names of requests and limits in quotas. */
function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map<string, Quantity>([['pods', countOf(1)]])
  for (const [name, quantity] of requests) {
    if (COMPUTE.includes(name) || isHugePages(name)) usage.set(name, quantity)
    if (COMPUTE.includes(name) || isHugePages(name) || name.includes('/')) {
      usage.set(`requests.${name}`, quantity)
    }
  }
  for (const [name, quantity] of limits) {
    if (COMPUTE.includes(name)) usage.set(`limits.${name}`, quantity)
  }
  return usage
}

function hasEnded({ metadata, status }: JsonObject, now: number): boolean {
  const { phase } = objectOf(status)
  if (phase === 'Succeeded' || phase === 'Failed') return true
  const { deletionTimestamp, deletionGracePeriodSeconds } = objectOf(metadata)
  if (typeof deletionTimestamp !== 'string' || typeof deletionGracePeriodSeconds !== 'number') return false
  return now > Date.parse(deletionTimestamp) + deletionGracePeriodSeconds * 1000
}

function missing(spec: JsonObject, names: readonly string[]): string | undefined {
  const whole = objectOf(spec['resources'])
  if (isObject(spec['resources']) && (isObject(whole['requests']) || isObject(whole['limits'])))
    return undefined
  const required = REQUIRED.filter((name) => names.includes(name))
  const containers = [...listOf(spec['containers']), ...listOf(spec['initContainers'])].map(objectOf)
  const problems = required.flatMap((name) => {
    const without = containers.filter(({ resources }) => {
      const { requests, limits } = objectOf(resources)
      return !computeUsage(amountsOf(requests), amountsOf(limits)).has(name)
    })
    const called = [...new Set(without.map((container) => textOf(container['name'] ?? '')))].sort()
    return called.length > 0 ? [`${name} for: ${called.join(',')}`] : []
  })
  return problems.length > 0 ? `must specify ${problems.join('; ')}` : undefined
}

function isInScope(spec: JsonObject, scope: ScopeRequirement): boolean {
  switch (scope.scopeName) {
    case 'Terminating':
      return isTerminating(spec)
    case 'NotTerminating':
      return !isTerminating(spec)
    case 'BestEffort':
      return qualityOfService(spec) === 'BestEffort'
    case 'NotBestEffort':
      return qualityOfService(spec) !== 'BestEffort'
    case 'PriorityClass': {
      const name = textOf(spec['priorityClassName'] ?? '')
      return meetsScope(name === '' ? undefined : name, scope)
    }
    case 'CrossNamespacePodAffinity':
      return reachesOtherNamespaces(objectOf(spec['affinity']))
    default:
      return false
  }
}

function isTerminating(spec: JsonObject): boolean {
  const { activeDeadlineSeconds } = spec
  return typeof activeDeadlineSeconds === 'number' && activeDeadlineSeconds >= 0
}

function reachesOtherNamespaces(affinity: JsonObject): boolean {
  const terms = [affinity['podAffinity'], affinity['podAntiAffinity']]
    .map(objectOf)
    .flatMap((one) => [
      ...listOf(one['requiredDuringSchedulingIgnoredDuringExecution']).map(objectOf),
      ...listOf(one['preferredDuringSchedulingIgnoredDuringExecution']).map((weighted) =>
        objectOf(objectOf(weighted)['podAffinityTerm']),
      ),
    ])
  return terms.some(
    ({ namespaces, namespaceSelector }) => listOf(namespaces).length > 0 || isObject(namespaceSelector),
  )
}
