import { parseQuantity, type DeepReadonly } from '@homeostat/api'
import type { CoreV1, Pod } from '@homeostat/api/kinds'

/** Amounts of resources, in billionths, by their names: `cpu`, `memory`, and whatever else a node offers. */
export type Amounts = ReadonlyMap<string, bigint>

type Container = DeepReadonly<CoreV1.Container>

/** Quantities are not finer than this. */
const NANO = 9

/** Parses a list of resources. A value that is not a quantity counts as 0. */
export function amountsOf(list: Readonly<Record<string, string>> | undefined): Amounts {
  const amounts = new Map<string, bigint>()
  for (const [name, text] of Object.entries(list ?? {})) {
    const quantity = parseQuantity(text)
    if (quantity) amounts.set(name, quantity.mantissa * 10n ** BigInt(quantity.exponent + NANO))
  }
  return amounts
}

/**
 * The resources that a Pod requests of a node: those of its containers and sidecars together, or of the largest init container
 * with the sidecars started before it, if that is more; and the overhead. Requests of the Pod as a whole take precedence.
 */
export function podRequests({ spec }: Pod): Amounts {
  const requests = (container: Container): Amounts => amountsOf(container.resources?.requests)
  let sidecars: Amounts = new Map()
  let starting: Amounts = new Map()
  for (const container of spec.initContainers ?? []) {
    const running = sum(sidecars, requests(container))
    starting = largest(starting, running)
    if (container.restartPolicy === 'Always') sidecars = running
  }
  const running = spec.containers.map(requests).reduce(sum, sidecars)
  const whole = amountsOf(spec.resources?.requests)
  return sum(new Map([...largest(running, starting), ...whole]), amountsOf(spec.overhead))
}

function sum(a: Amounts, b: Amounts): Amounts {
  if (b.size === 0) return a
  const both = new Map(a)
  for (const [name, amount] of b) both.set(name, (both.get(name) ?? 0n) + amount)
  return both
}

function largest(a: Amounts, b: Amounts): Amounts {
  if (b.size === 0) return a
  const result = new Map(a)
  for (const [name, amount] of b) {
    if (amount > (result.get(name) ?? 0n)) result.set(name, amount)
  }
  return result
}
