import { labelKeyProblems } from '@homeostat/api'
import { invalidValue, type FieldError } from '../field-error.ts'
import { isObject, objectOf } from '../json.ts'
import { canonicalQuantity, compareQuantities, parseQuantity } from '../quantity.ts'

const STANDARD = new Set(['cpu', 'memory', 'ephemeral-storage'])
const ZERO = { mantissa: 0n, exponent: 0, form: 'decimal' } as const

/** What is wrong with the limits and requests of a container. */
export function validateResources(value: unknown, field: string): FieldError[] {
  if (!isObject(value)) return []
  const limits = objectOf(value['limits'])
  const requests = objectOf(value['requests'])
  const errors: FieldError[] = []
  for (const [part, resources] of [
    ['limits', limits],
    ['requests', requests],
  ] as const) {
    for (const [name, amount] of Object.entries(resources)) {
      errors.push(...amountErrors(name, amount, `${field}.${part}[${name}]`))
    }
  }
  for (const [name, amount] of Object.entries(requests)) {
    const [request, limit] = [parseQuantity(amount), parseQuantity(limits[name])]
    if (request && limit && compareQuantities(request, limit) > 0) {
      const detail = `must be less than or equal to ${name} limit of ${canonicalQuantity(limit)}`
      errors.push(invalidValue(`${field}.requests`, canonicalQuantity(request), detail))
    }
  }
  return errors
}

function amountErrors(name: string, amount: unknown, field: string): FieldError[] {
  const errors = labelKeyProblems(name).map((problem) => invalidValue(field, name, problem))
  if (!name.includes('/') && !STANDARD.has(name) && !name.startsWith('hugepages-')) {
    errors.push(invalidValue(field, name, 'must be a standard resource type or fully qualified'))
    errors.push(invalidValue(field, name, 'must be a standard resource for containers'))
  }
  const quantity = parseQuantity(amount)
  if (!quantity) return errors
  if (compareQuantities(quantity, ZERO) < 0) {
    errors.push(invalidValue(field, canonicalQuantity(quantity), 'must be greater than or equal to 0'))
  }
  const whole = quantity.exponent >= 0 || quantity.mantissa % 10n ** BigInt(-quantity.exponent) === 0n
  if (name.includes('/') && !whole)
    errors.push(invalidValue(field, canonicalQuantity(quantity), 'must be an integer'))
  return errors
}
