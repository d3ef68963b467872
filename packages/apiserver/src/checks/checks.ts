import { labelKeyProblems } from '@homeostat/api'
import {
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
 * The checks that many kinds share. Each gives the errors of one field, in the words of a Kubernetes API server, and nothing
 * where it is right.
 */

const ZERO: Quantity = { mantissa: 0n, exponent: 0, form: 'decimal' }

/** A number that may not be negative, where there is one. */
export function notNegative(value: unknown, field: string): FieldError[] {
  return isNumber(value) && value < 0
    ? [invalidValue(field, value, 'must be greater than or equal to 0')]
    : []
}

/** A number that is at least one, where there is one. */
export function positive(value: unknown, field: string): FieldError[] {
  return isNumber(value) && value <= 0 ? [invalidValue(field, value, 'must be greater than zero')] : []
}

/** A quantity that may not be negative, where there is one. */
export function notNegativeQuantity(value: unknown, field: string): FieldError[] {
  const quantity = parseQuantity(value)
  if (!quantity || compareQuantities(quantity, ZERO) >= 0) return []
  return [invalidValue(field, textOf(value), 'must be greater than or equal to 0')]
}

/** A quantity above zero, where there is one. */
export function positiveQuantity(value: unknown, field: string): FieldError[] {
  const quantity = parseQuantity(value)
  if (!quantity || compareQuantities(quantity, ZERO) > 0) return []
  return [invalidValue(field, textOf(value), 'must be greater than zero')]
}

/** A whole number between two others, where there is one. */
export function between(value: unknown, low: number, high: number, field: string): FieldError[] {
  if (!isNumber(value) || (value >= low && value <= high)) return []
  return [invalidValue(field, value, `must be between ${low} and ${high}, inclusive`)]
}

/** One of a few words, where there is any. */
export function oneOf(value: unknown, allowed: readonly string[], field: string): FieldError[] {
  if (value === undefined || value === null || allowed.includes(textOf(value))) return []
  return [unsupportedValue(field, value, allowed)]
}

/** One of a few words, which must be there. */
export function requiredOneOf(value: unknown, allowed: readonly string[], field: string): FieldError[] {
  const missing = required(value, field)
  return missing.length > 0 ? missing : oneOf(value, allowed, field)
}

/** A value that must be there. An empty text counts as missing. */
export function required(value: unknown, field: string): FieldError[] {
  return value === undefined || value === null || value === '' ? [requiredValue(field)] : []
}

/** A text of some form that must be there. */
export function requiredName(value: unknown, field: string, form: (text: string) => string[]): FieldError[] {
  const missing = required(value, field)
  return missing.length > 0 ? missing : named(value, field, form)
}

/** A text of some form. */
export function named(value: unknown, field: string, form: (text: string) => string[]): FieldError[] {
  const text = textOf(value ?? '')
  return form(text).map((problem) => invalidValue(field, text, problem))
}

/** The name of another object, where there is one. */
export function optionalName(value: unknown, field: string): FieldError[] {
  return value === undefined || value === null || value === '' ? [] : named(value, field, subdomainProblems)
}

/** A name of one label, where there is one. */
export function optionalLabel(value: unknown, field: string): FieldError[] {
  return value === undefined || value === null || value === '' ? [] : named(value, field, labelProblems)
}

/** A name with an optional domain before a slash. */
export function qualifiedName(value: unknown, field: string): FieldError[] {
  return named(value, field, labelKeyProblems)
}

/** A path behind a domain: `acme.io/foo`. */
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

/** The name of a driver: a DNS subdomain of at most 63 characters, in whatever case. */
export function driverName(value: unknown, field: string): FieldError[] {
  const text = textOf(value ?? '')
  if (text === '') return [requiredValue(field)]
  const errors = text.length > 63 ? [tooLong(field, 63)] : []
  for (const problem of subdomainProblems(text.toLowerCase())) errors.push(invalidValue(field, text, problem))
  return errors
}

/** The number of a port. */
export function port(value: unknown, field: string): FieldError[] {
  return portProblems(value).map((problem) => invalidValue(field, value, problem))
}

/** A port by number or by name. */
export function portOrName(value: unknown, field: string): FieldError[] {
  return typeof value === 'string' ? named(value, field, portNameProblems) : port(value ?? 0, field)
}

/** An address; what was there before is taken as it is. */
export function address(value: unknown, field: string, before: readonly unknown[] = []): FieldError[] {
  const text = textOf(value ?? '')
  if (before.includes(text)) return []
  if (!isAddress(text)) {
    return [invalidValue(field, text, 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)')]
  }
  if (hasLeadingZero(text)) return [invalidValue(field, text, 'must not have leading 0s')]
  return isMapped(text) ? [invalidValue(field, text, 'must not be an IPv4-mapped IPv6 address')] : []
}

/** A network, such as `10.0.0.0/8`; what was there before is taken as it is. */
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

/** A number, or a share such as `25%`. */
export function countOrPercent(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string') return notNegative(value, field)
  return percentProblems(value).map((problem) => invalidValue(field, value, problem))
}

/** A share that is at most all. */
export function atMostAll(value: unknown, field: string): FieldError[] {
  if (typeof value !== 'string' || !/^\d+%$/.test(value) || Number.parseInt(value, 10) <= 100) return []
  return [invalidValue(field, value, 'must not be greater than 100%')]
}

/** The number in a count or a share; 0 where it is neither. */
export function amountOf(value: unknown): number {
  if (isNumber(value)) return value
  return Number.parseInt(textOf(value ?? ''), 10) || 0
}

/** A value that stays what it was. `shown` is how the message shows it. */
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
