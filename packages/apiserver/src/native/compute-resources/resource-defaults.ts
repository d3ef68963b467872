import { canonicalQuantity, isObject, type JsonObject, objectOf, parseQuantity } from '../../schema/index.ts'

const MILLI = -3

/** Rounds each quantity of a list up to a thousandth, the finest unit of Kubernetes. */
export function roundList(value: unknown): void {
  if (!isObject(value)) return
  for (const [name, amount] of Object.entries(value)) {
    const quantity = parseQuantity(amount)
    if (!quantity || quantity.exponent >= MILLI) continue
    const factor = 10n ** BigInt(MILLI - quantity.exponent)
    const { mantissa } = quantity
    const away = mantissa % factor === 0n ? 0n : mantissa < 0n ? -1n : 1n
    value[name] = canonicalQuantity({ ...quantity, mantissa: mantissa / factor + away, exponent: MILLI })
  }
}

/** Rounds the limits and requests of `resources`. */
export function roundAmounts(resources: unknown): void {
  const { limits, requests } = objectOf(resources)
  roundList(limits)
  roundList(requests)
}

/** Rounds the amounts of a claim for a volume, and of a template for one. */
export function roundClaim(claim: JsonObject): void {
  roundAmounts(objectOf(claim['spec'])['resources'])
  const { capacity, allocatedResources } = objectOf(claim['status'])
  roundList(capacity)
  roundList(allocatedResources)
}
