import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  objectOf,
  parseQuantity,
  type Quantity,
} from '../../schema/index.ts'

/** Amounts by resource: `requests.cpu`, `pods`, `count/widgets.example.com`. */
export type Amounts = ReadonlyMap<string, Quantity>

export const ZERO: Quantity = { mantissa: 0n, exponent: 0, form: 'decimal' }

/** A number of objects as a quantity. */
export function countOf(number: number): Quantity {
  return { mantissa: BigInt(number), exponent: 0, form: 'decimal' }
}

/** The amounts of a list in an object, such as `status.used`. */
export function amountsOf(list: unknown): Amounts {
  const entries = Object.entries(objectOf(list)).flatMap(([name, value]) => {
    const quantity = parseQuantity(value)
    return quantity ? [[name, quantity] as const] : []
  })
  return new Map(entries)
}

/** The amounts as a list in an object. */
export function amountList(amounts: Amounts): Record<string, string> {
  const sorted = [...amounts].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(sorted.map(([name, quantity]) => [name, canonicalQuantity(quantity)]))
}

export function addAmounts(a: Amounts, b: Amounts): Amounts {
  const sum = new Map(a)
  for (const [name, quantity] of b) {
    const known = sum.get(name)
    // A sum has the form of the first amount that is not zero: `1Gi` stays `1Gi`.
    sum.set(name, known?.mantissa ? addQuantities(known, quantity) : quantity)
  }
  return sum
}

/** `a` minus `b`, for the resources of `a`; at least zero. */
export function increase(a: Amounts, b: Amounts): Amounts {
  const result = new Map<string, Quantity>()
  for (const [name, quantity] of a) {
    const before = b.get(name)
    const more = before ? addQuantities(quantity, { ...before, mantissa: -before.mantissa }) : quantity
    result.set(name, more.mantissa < 0n ? ZERO : more)
  }
  return result
}

export function onlyNamed(amounts: Amounts, names: { has(name: string): boolean }): Amounts {
  return new Map([...amounts].filter(([name]) => names.has(name)))
}

export function withoutZeros(amounts: Amounts): Amounts {
  return new Map([...amounts].filter(([, { mantissa }]) => mantissa !== 0n))
}

/** The resources that exceed their limit. */
export function exceeding(amounts: Amounts, limits: Amounts): Set<string> {
  const names = [...amounts].filter(([name, quantity]) => {
    const limit = limits.get(name)
    return limit !== undefined && compareQuantities(quantity, limit) > 0
  })
  return new Set(names.map(([name]) => name))
}

/** `pods=1,requests.cpu=2`, as messages name amounts. */
export function amountsText(amounts: Amounts): string {
  return Object.entries(amountList(amounts))
    .map(([name, text]) => `${name}=${text}`)
    .join(',')
}
