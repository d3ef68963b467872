import {
  addQuantities,
  compareQuantities,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  parseQuantity,
  type Quantity,
} from '../../schema/index.ts'

const COUNTED = ['cpu', 'memory']

/**
 * The quality-of-service class: Guaranteed when every container has requests equal to its limits, BestEffort when
 * none has any.
 */
export function qualityOfService(spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  // The resources of the Pod as a whole replace those of its containers.
  const whole = isObject(spec['resources'])
  const holders = whole ? [spec] : [...listOf(spec['containers']), ...listOf(spec['initContainers'])]
  const requests = new Map<string, Quantity>()
  const limits = new Map<string, Quantity>()
  let guaranteed = true
  for (const holder of holders) {
    const resources = objectOf(objectOf(holder)['resources'])
    addUp(requests, objectOf(resources['requests']))
    const limited = addUp(limits, objectOf(resources['limits']))
    if (whole && Object.keys(objectOf(resources['limits'])).length === 0) continue
    if (limited < COUNTED.length) guaranteed = false
  }
  const names = [...requests.keys()]
  if (names.length === 0 && limits.size === 0) return 'BestEffort'
  const same = names.every((name) => {
    const [request, limit] = [requests.get(name), limits.get(name)]
    return request && limit && compareQuantities(request, limit) === 0
  })
  return guaranteed && same && names.length === limits.size ? 'Guaranteed' : 'Burstable'
}

/** Adds CPU and memory to the totals. Returns how many of the two there were. */
function addUp(total: Map<string, Quantity>, list: JsonObject): number {
  let found = 0
  for (const name of COUNTED) {
    if (list[name] === undefined) continue
    const quantity = parseQuantity(list[name])
    if (!quantity || quantity.mantissa <= 0n) continue
    found++
    const sum = total.get(name)
    total.set(name, sum ? addQuantities(sum, quantity) : quantity)
  }
  return found
}
