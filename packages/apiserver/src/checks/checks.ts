import { labelKeyProblems } from '@homeostat/api'
import {
  byteLength,
  compareQuantities,
  equalJson,
  type FieldError,
  hasLeadingZero,
  invalidValue,
  isAddress,
  isMapped,
  isNetwork,
  isNumber,
  isObject,
  type JsonObject,
  labelProblems,
  listOf,
  networkOf,
  parseQuantity,
  percentProblems,
  portNameProblems,
  portProblems,
  type Quantity,
  requiredValue,
  subdomainProblems,
  textOf,
  tooLong,
  unsupportedValue,
} from '../schema/index.ts'

/**
 * Checks that many kinds share. Each returns the errors of one field, with the messages of a Kubernetes API server;
 * none where the field is valid.
 */

const ZERO: Quantity = { mantissa: 0n, exponent: 0, form: 'decimal' }

/** Checks that a number, if set, is not negative. */
export function notNegative(value: unknown, field: string): FieldError[] {
  return isNumber(value) && value < 0
    ? [invalidValue(field, value, 'must be greater than or equal to 0')]
    : []
}

/** Checks that a number, if set, is at least one. */
export function positive(value: unknown, field: string): FieldError[] {
  return isNumber(value) && value <= 0 ? [invalidValue(field, value, 'must be greater than zero')] : []
}

/** Checks that a quantity, if set, is not negative. */
export function notNegativeQuantity(value: unknown, field: string): FieldError[] {
  const quantity = parseQuantity(value)
  if (!quantity || compareQuantities(quantity, ZERO) >= 0) return []
  return [invalidValue(field, textOf(value), 'must be greater than or equal to 0')]
}

/** Checks that a quantity, if set, is above zero. */
export function positiveQuantity(value: unknown, field: string): FieldError[] {
  const quantity = parseQuantity(value)
  if (!quantity || compareQuantities(quantity, ZERO) > 0) return []
  return [invalidValue(field, textOf(value), 'must be greater than zero')]
}

/** Checks that a whole number, if set, is in a range. */
export function between(value: unknown, low: number, high: number, field: string): FieldError[] {
  if (!isNumber(value) || (value >= low && value <= high)) return []
  return [invalidValue(field, value, `must be between ${low} and ${high}, inclusive`)]
}

/** Checks that a value, if set, is one of those allowed. */
export function oneOf(value: unknown, allowed: readonly string[], field: string): FieldError[] {
  if (value === undefined || value === null || allowed.includes(textOf(value))) return []
  return [unsupportedValue(field, value, allowed)]
}

/** Checks that a value is set and one of those allowed. */
export function requiredOneOf(value: unknown, allowed: readonly string[], field: string): FieldError[] {
  const missing = required(value, field)
  return missing.length > 0 ? missing : oneOf(value, allowed, field)
}

/** Checks that a value is set. An empty text counts as missing. */
export function required(value: unknown, field: string): FieldError[] {
  return value === undefined || value === null || value === '' ? [requiredValue(field)] : []
}

/** Checks that a text is set and has a form. */
export function requiredName(value: unknown, field: string, form: (text: string) => string[]): FieldError[] {
  const missing = required(value, field)
  return missing.length > 0 ? missing : named(value, field, form)
}

/** Checks the form of a text. */
export function named(value: unknown, field: string, form: (text: string) => string[]): FieldError[] {
  const text = textOf(value ?? '')
  return form(text).map((problem) => invalidValue(field, text, problem))
}

/** Checks the name of another object, if set. */
export function optionalName(value: unknown, field: string): FieldError[] {
  return value === undefined || value === null || value === '' ? [] : named(value, field, subdomainProblems)
}

/** Checks a DNS label, if set. */
export function optionalLabel(value: unknown, field: string): FieldError[] {
  return value === undefined || value === null || value === '' ? [] : named(value, field, labelProblems)
}

/** Checks a name with an optional domain before a slash. */
export function qualifiedName(value: unknown, field: string): FieldError[] {
  return named(value, field, labelKeyProblems)
}

/** Checks a path with a domain before it: `acme.io/foo`. */
export function domainPrefixedPath(value: unknown, field: string): FieldError[] {
  const text = textOf(value ?? '')
  if (text === '') return [requiredValue(field)]
  const slash = text.indexOf('/')
  if (slash <= 0 || slash === text.length - 1) {
    return [invalidValue(field, text, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  }
  const errors = named(text.slice(0, slash), field, subdomainProblems)
  const path = text.slice(slash + 1)
  if (/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) return errors
  const detail = "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"
  return [...errors, invalidValue(field, path, detail)]
}

/** Checks the name of a driver: a DNS subdomain of at most 63 characters, in upper or lower case. */
export function driverName(value: unknown, field: string): FieldError[] {
  const text = textOf(value ?? '')
  if (text === '') return [requiredValue(field)]
  const errors = byteLength(text) > 63 ? [tooLong(field, 63)] : []
  for (const problem of subdomainProblems(text.toLowerCase())) errors.push(invalidValue(field, text, problem))
  return errors
}

/** Checks the number of a port. */
export function port(value: unknown, field: string): FieldError[] {
  return portProblems(value).map((problem) => invalidValue(field, value, problem))
}

/** Checks a port that is given by number or by name. */
export function portOrName(value: unknown, field: string): FieldError[] {
  return typeof value === 'string' ? named(value, field, portNameProblems) : port(value ?? 0, field)
}

/** Checks an IP address. An unchanged one is accepted. */
export function address(value: unknown, field: string, before: readonly unknown[] = []): FieldError[] {
  const text = textOf(value ?? '')
  if (before.includes(text)) return []
  if (!isAddress(text)) {
    return [invalidValue(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
  }
  if (hasLeadingZero(text)) return [invalidValue(field, text, 'must not have leading 0s')]
  return isMapped(text) ? [invalidValue(field, text, 'must not be an IPv4-mapped IPv6 address')] : []
}

/** Checks a network, such as `10.0.0.0/8`. An unchanged one is accepted. */
export function network(value: unknown, field: string, before: readonly unknown[] = []): FieldError[] {
  const text = textOf(value ?? '')
  if (before.includes(text)) return []
  const parsed = isNetwork(text) ? networkOf(text) : undefined
  const problem = !parsed
    ? 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
    : hasLeadingZero(text)
      ? 'must not have leading 0s in IP or prefix length'
      : isMapped(text.split('/')[0] ?? '')
        ? 'must not have an IPv4-mapped IPv6 address'
        : parsed.bits.slice(parsed.length).includes('1')
          ? 'must not have bits set beyond the prefix length'
          : undefined
  return problem === undefined ? [] : [invalidValue(field, text, problem)]
}

/** Checks a number, or a percentage such as `25%`. */
export function countOrPercent(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string') return notNegative(value, field)
  return percentProblems(value).map((problem) => invalidValue(field, value, problem))
}

/** Checks that a percentage is at most 100. */
export function atMostAll(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string' || !/^\d+%$/.test(value) || Number.parseInt(value, 10) <= 100) return []
  return [invalidValue(field, value, 'must not be greater than 100%')]
}

/** The number in a count or a percentage; 0 where it is neither, such as a negative percentage. */
export function amountOf(value: unknown): number {
  if (isNumber(value)) return value
  const text = textOf(value ?? '')
  return /^(?:\d+%|[+-]?\d+)$/.test(text) ? Number.parseInt(text, 10) : 0
}

/** Checks that a value has not changed. `shown` is the value in the message. */
export function unchanged(
  value: unknown,
  old: unknown,
  field: string,
  shown: unknown = value ?? null,
): FieldError[] {
  return equalJson(value, old) ? [] : [invalidValue(field, shown, 'field is immutable')]
}

/** The errors of the objects in a list. */
export function eachObject(
  value: unknown,
  field: string,
  check: (item: JsonObject, field: string, index: number) => FieldError[],
): FieldError[] {
  return listOf(value).flatMap((item, index) =>
    isObject(item) ? check(item, `${field}[${index}]`, index) : [],
  )
}
