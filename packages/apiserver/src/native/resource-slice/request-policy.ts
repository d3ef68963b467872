import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  duplicateValue,
  type FieldError,
  forbiddenValue,
  invalidValue,
  isObject,
  type JsonObject,
  listOf,
  parseQuantity,
  type Quantity,
  requiredValue,
  tooMany,
  wholeValue,
} from '../../schema/index.ts'
import { addAll } from '../../work/index.ts'

const MOST_VALUES = 10
const ZERO: Quantity = { mantissa: 0n, exponent: 0, form: 'decimal' }

/** Validates how much of a capacity one claim may request. */
export function requestPolicyErrors(policy: JsonObject, capacity: unknown, field: string): FieldError[] {
  const { validRange, default: standard } = policy
  const values = listOf(policy['validValues'])
  const most = parseQuantity(capacity) ?? ZERO
  if (values.length > 0 && isObject(validRange)) {
    const detail =
      'exactly one policy can be specified, cannot specify "validValues" and "validRange" at the same time'
    return [forbiddenValue(field, detail)]
  }
  const chosen = parseQuantity(standard)
  if (values.length > 0) {
    if (!chosen) return [requiredValue(`${field}.default`, 'required when validValues is defined')]
    return valueErrors(values, chosen, most, `${field}.validValues`)
  }
  if (!isObject(validRange)) return []
  if (!chosen) return [requiredValue(`${field}.default`, 'required when validRange is defined')]
  return rangeErrors(validRange, chosen, most, `${field}.validRange`)
}

function valueErrors(
  list: readonly unknown[],
  chosen: Quantity,
  most: Quantity,
  field: string,
): FieldError[] {
  const values = list.map((value) => parseQuantity(value) ?? ZERO)
  const errors = values.flatMap((value, index) => {
    const before = values[index - 1]
    if (!before || compareQuantities(before, value) <= 0) return []
    return [
      invalidValue(
        `${field}[${index}]`,
        canonicalQuantity(value),
        'values must be sorted in ascending order',
      ),
    ]
  })
  const tooLong = values.length > MOST_VALUES
  if (tooLong) errors.push(tooMany(field, values.length, MOST_VALUES))
  else {
    const seen = new Set<string>()
    for (const [index, value] of values.entries()) {
      if (compareQuantities(value, most) > 0) {
        const detail = `option is larger than capacity value: ${canonicalQuantity(most)}`
        errors.push(invalidValue(`${field}[${index}]`, canonicalQuantity(value), detail))
      }
      const whole = String(wholeValue(value))
      if (seen.has(whole)) errors.push(duplicateValue(`${field}[${index}]`, whole))
      seen.add(whole)
    }
  }
  // As in Kubernetes, the default is not found in a list that is too long.
  if (tooLong || !values.some((value) => compareQuantities(value, chosen) === 0)) {
    const detail = 'default value is not valid according to the requestPolicy'
    errors.push(invalidValue(field, canonicalQuantity(chosen), detail))
  }
  return errors
}

function rangeErrors(range: JsonObject, chosen: Quantity, capacity: Quantity, field: string): FieldError[] {
  const [min, max, step] = [range['min'], range['max'], range['step']].map(parseQuantity)
  if (!min) return [requiredValue(`${field}.min`, 'required when validRange is defined')]
  const errors: FieldError[] = []
  const above = (part: string, a: Quantity, b: Quantity, detail: string): void => {
    if (compareQuantities(a, b) > 0) {
      errors.push(
        invalidValue(`${field}.${part}`, canonicalQuantity(a), `${detail}: ${canonicalQuantity(b)}`),
      )
    }
  }
  above('min', min, capacity, 'min is larger than capacity value')
  if (compareQuantities(chosen, min) < 0) {
    const detail = `default is less than min: ${canonicalQuantity(min)}`
    errors.push(invalidValue(`${field}.min`, canonicalQuantity(chosen), detail))
  }
  if (max) {
    above('max', min, max, 'min is larger than max')
    above('max', max, capacity, 'max is larger than capacity value')
    above('max', chosen, max, 'default is more than max')
  }
  if (!step) return errors
  const first = addQuantities(min, step)
  if (compareQuantities(first, capacity) > 0) {
    const detail = `one step ${canonicalQuantity(first)} is larger than capacity value: ${canonicalQuantity(capacity)}`
    errors.push(invalidValue(`${field}.step`, canonicalQuantity(step), detail))
  }
  for (const value of max ? [chosen, max] : [chosen]) {
    addAll(errors, stepErrors(value, min, step, `${field}.step`))
  }
  return errors
}

/** Kubernetes divides by a step of 0, and answers with an internal error. */
function stepErrors(value: Quantity, min: Quantity, step: Quantity, field: string): FieldError[] {
  const size = wholeValue(step)
  if (size === 0n) return [invalidValue(field, canonicalQuantity(step), 'must be greater than zero')]
  if ((wholeValue(value) - wholeValue(min)) % size === 0n) return []
  const detail = `value is not a multiple of a given step (${canonicalQuantity(step)}) from (${canonicalQuantity(min)})`
  return [invalidValue(field, canonicalQuantity(value), detail)]
}
