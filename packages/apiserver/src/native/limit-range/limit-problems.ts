import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  type JsonObject,
  listOf,
  objectOf,
  parseQuantity,
  type Quantity,
  textOf,
} from '../../schema/index.ts'

/** Requests and limits. A claim has no limits. */
export interface Resources {
  readonly requests: JsonObject
  readonly limits?: JsonObject
}

/** The resources that exceed one limit of a LimitRange, as Kubernetes' messages. */
export function limitProblems(limit: JsonObject, resources: Resources): string[] {
  const type = textOf(limit['type'])
  const each = (
    field: string,
    check: (name: string, bound: Quantity, request?: Quantity, most?: Quantity) => string | undefined,
  ): string[] =>
    Object.entries(objectOf(limit[field]))
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([name, value]) => {
        const bound = parseQuantity(value)
        if (!bound) return []
        const problem = check(
          name,
          bound,
          parseQuantity(resources.requests[name]),
          parseQuantity(resources.limits?.[name]),
        )
        return problem ?? []
      })
  return [
    ...each('min', (name, bound, request, most) => {
      const rule = `minimum ${name} usage per ${type} is ${canonicalQuantity(bound)}`
      if (!request) return `${rule}.  No request is specified`
      if (compareQuantities(request, bound) < 0)
        return `${rule}, but request is ${canonicalQuantity(request)}`
      if (most && compareQuantities(most, bound) < 0)
        return `${rule}, but limit is ${canonicalQuantity(most)}`
      return undefined
    }),
    ...each('max', (name, bound, request, most) => {
      const rule = `maximum ${name} usage per ${type} is ${canonicalQuantity(bound)}`
      if (resources.limits && !most) return `${rule}.  No limit is specified`
      if (!resources.limits && !request) return `${rule}.  No request is specified`
      if (most && compareQuantities(most, bound) > 0)
        return `${rule}, but limit is ${canonicalQuantity(most)}`
      if (request && compareQuantities(request, bound) > 0) {
        return `${rule}, but request is ${canonicalQuantity(request)}`
      }
      return undefined
    }),
    ...each('maxLimitRequestRatio', (name, bound, request, most) => {
      const rule = `${name} max limit to request ratio per ${type} is ${canonicalQuantity(bound)}`
      if (!request?.mantissa) return `${rule}, but no request is specified or request is 0`
      if (!most?.mantissa) return `${rule}, but no limit is specified or limit is 0`
      const ratio = numberOf(most) / numberOf(request)
      return ratio > numberOf(bound) ? `${rule}, but provided ratio is ${ratio.toFixed(6)}` : undefined
    }),
  ]
}

/**
 * The requests and limits of a whole Pod: the sum over its containers, or those of an init container where these are
 * higher.
 */
export function podResources(spec: JsonObject): Required<Resources> {
  return { requests: sumOf(spec, 'requests'), limits: sumOf(spec, 'limits') }
}

type Amounts = Map<string, Quantity>

function sumOf(spec: JsonObject, field: 'requests' | 'limits'): JsonObject {
  const sum: Amounts = new Map()
  for (const container of listOf(spec['containers'])) add(sum, amountsOf(container, field))
  const sidecars: Amounts = new Map()
  const most: Amounts = new Map()
  for (const container of listOf(spec['initContainers'])) {
    const own = amountsOf(container, field)
    const stays = objectOf(container)['restartPolicy'] === 'Always'
    if (stays) add(sum, own)
    if (stays) add(sidecars, own)
    const now: Amounts = new Map(sidecars)
    if (!stays) add(now, own)
    atLeast(most, now)
  }
  atLeast(sum, most)
  const whole = objectOf(objectOf(spec['resources'])[field])
  const texts = [...sum].map(([name, quantity]) => [name, canonicalQuantity(quantity)])
  const given = ['cpu', 'memory'].filter((name) => whole[name] !== undefined)
  return { ...Object.fromEntries(texts), ...Object.fromEntries(given.map((name) => [name, whole[name]])) }
}

function amountsOf(container: unknown, field: string): Amounts {
  const amounts: Amounts = new Map()
  for (const [name, value] of Object.entries(objectOf(objectOf(objectOf(container)['resources'])[field]))) {
    const quantity = parseQuantity(value)
    if (quantity) amounts.set(name, quantity)
  }
  return amounts
}

function add(sum: Amounts, more: Amounts): void {
  for (const [name, quantity] of more) {
    const known = sum.get(name)
    sum.set(name, known ? addQuantities(known, quantity) : quantity)
  }
}

function atLeast(amounts: Amounts, others: Amounts): void {
  for (const [name, quantity] of others) {
    const known = amounts.get(name)
    if (!known || compareQuantities(quantity, known) > 0) amounts.set(name, quantity)
  }
}

function numberOf({ mantissa, exponent }: Quantity): number {
  return Number(mantissa) * 10 ** exponent
}
