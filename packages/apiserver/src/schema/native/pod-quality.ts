import { objectOf, isObject, listOf, type JsonObject } from '../json.ts'
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../quantity.ts'

const COUNTED = ['cpu', 'memory']

/** Guaranteed when every container has its limits as requests, BestEffort when none asks for anything. */
export function qualityOfService(spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  // What a Pod asks for as a whole stands for what its containers ask for.
  const whole = isObject(spec['resources'])
  const holders = whole ? [spec] : [...listOf(spec['containers']), ...listOf(spec['initContainers'])]
  const requests: Record<string, Quantity> = {}
  const limits: Record<string, Quantity> = {}
  let guaranteed = true
  for (const holder of holders) {
    const resources = objectOf(objectOf(holder)['resources'])
    addUp(requests, objectOf(resources['requests']))
    const limited = addUp(limits, objectOf(resources['limits']))
    if (whole && Object.keys(objectOf(resources['limits'])).length === 0) continue
    if (limited < COUNTED.length) guaranteed = false
  }
  const names = Object.keys(requests)
  if (names.length === 0 && Object.keys(limits).length === 0) return 'BestEffort'
  const same = names.every((name) => {
    const [request, limit] = [requests[name], limits[name]]
    return request && limit && compareQuantities(request, limit) === 0
  })
  return guaranteed && same && names.length === Object.keys(limits).length ? 'Guaranteed' : 'Burstable'
}

/** Adds what counts to the totals; how many there were. */
function addUp(total: Record<string, Quantity>, list: JsonObject): number {
  let found = 0
  for (const name of COUNTED) {
    if (list[name] === undefined) continue
    const quantity = parseQuantity(list[name])
    if (!quantity || quantity.mantissa <= 0n) continue
    found++
    total[name] = total[name] ? addQuantities(total[name], quantity) : quantity
  }
  return found
}
