import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type DeepReadonly,
  type Quantity,
} from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'

/** Amounts of resources by their names: `cpu`, `memory`, `ephemeral-storage`, and whatever a node offers. */
export type Amounts = ReadonlyMap<string, Quantity>

type Container = DeepReadonly<CoreV1.Container>
const ZERO: Quantity = { mantissa: 0n, exponent: 0, form: 'decimal' }

/** Reads a list of resources; what is no quantity counts as none. */
export function amountsOf(list: Readonly<Record<string, string>> | undefined): Amounts {
  return new Map(
    Object.entries(list ?? {}).flatMap(([name, text]) => {
      const quantity = parseQuantity(text)
      return quantity ? [[name, quantity] as const] : []
    }),
  )
}

/** Both together. */
export function addAmounts(a: Amounts, b: Amounts): Amounts {
  if (a.size === 0) return b
  const sum = new Map(a)
  for (const [name, amount] of b) sum.set(name, addQuantities(sum.get(name) ?? ZERO, amount))
  return sum
}

/** Whether an amount is more than what is there, less what is taken. */
export function exceeds(wanted: Quantity, there: Quantity | undefined, taken: Quantity | undefined): boolean {
  return compareQuantities(addQuantities(wanted, taken ?? ZERO), there ?? ZERO) > 0
}

export function isNothing(amount: Quantity): boolean {
  return amount.mantissa === 0n
}

/**
 * What a Pod requests of a node: its containers and sidecars together, or the largest of its init containers with
 * the sidecars started before it, if that is more; and the overhead. What it requests as a whole comes first.
 */
export function podRequests({ spec }: Pod): Amounts {
  const requests = (container: Container): Amounts => amountsOf(container.resources?.requests)
  let sidecars: Amounts = new Map()
  let starting: Amounts = new Map()
  for (const container of spec.initContainers ?? []) {
    const running = addAmounts(sidecars, requests(container))
    starting = largest(starting, running)
    if (container.restartPolicy === 'Always') sidecars = running
  }
  const running = spec.containers.map(requests).reduce(addAmounts, sidecars)
  const whole = amountsOf(spec.resources?.requests)
  return addAmounts(new Map([...largest(running, starting), ...whole]), amountsOf(spec.overhead))
}

function largest(a: Amounts, b: Amounts): Amounts {
  const result = new Map(a)
  for (const [name, amount] of b) {
    const other = result.get(name)
    if (!other || compareQuantities(amount, other) > 0) result.set(name, amount)
  }
  return result
}
