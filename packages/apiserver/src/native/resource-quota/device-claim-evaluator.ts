import { integerOf, type JsonObject, listOf, objectOf, textOf } from '../../schema/index.ts'
import { type Amounts, countOf } from './amounts.ts'
import type { QuotaEvaluator } from './evaluator.ts'

const COUNT = 'count/resourceclaims.resource.k8s.io'
const BY_CLASS = '.deviceclass.resource.k8s.io/devices'
/** The most devices that a claim can be allocated. */
const MOST_DEVICES = 32

/** Counts ResourceClaims, and the devices of each DeviceClass that they may be allocated at most. */
export const deviceClaimEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) => operation !== 'DELETE' && subresource === undefined,
  measures: (name) => name === COUNT || name.endsWith(BY_CLASS),
  usage: (claim) => usageOf(objectOf(objectOf(claim['spec'])['devices'])),
}

function usageOf(devices: JsonObject): Amounts {
  const sums = new Map<string, number>()
  for (const request of listOf(devices['requests']).map(objectOf)) {
    for (const [name, count] of devicesOf(request)) sums.set(name, (sums.get(name) ?? 0) + count)
  }
  const counts = [...sums].map(([name, count]) => [`${name}${BY_CLASS}`, countOf(count)] as const)
  return new Map([[COUNT, countOf(1)], ...counts])
}

/** Devices by class. If a request has alternatives, the one with the most devices of a class counts. */
function devicesOf(request: JsonObject): Map<string, number> {
  const alternatives = listOf(request['firstAvailable']).map(objectOf)
  const asked = alternatives.length > 0 ? alternatives : [objectOf(request['exactly'])]
  const most = new Map<string, number>()
  for (const { deviceClassName, allocationMode, count } of asked) {
    const name = textOf(deviceClassName ?? '')
    if (name === '') continue
    const number = allocationMode === 'All' ? MOST_DEVICES : Number(integerOf(count))
    most.set(name, Math.max(most.get(name) ?? 0, number))
  }
  return most
}
