import { deepEqual, type StructuralSchema } from '@homeostat/api'
import { reportNarrower, type Place } from './place.ts'
import type { CompatibilityRule, Report } from './rules.ts'

/** C40 to C45: compares the constraints on the values of one field. */
export function compareConstraints(
  old: StructuralSchema,
  next: StructuralSchema,
  place: Place,
  report: Report,
): void {
  compareEnums(old.enum, next.enum, place, report)
  compareNumbers(old, next, place, report)
  for (const [field, rule] of [
    ['minLength', 'C42'],
    ['minItems', 'C43'],
    ['minProperties', 'C43'],
  ] as const) {
    // A minimum of 0 characters, items or keys is not a constraint.
    compareBound(field, { value: -(old[field] ?? 0) }, { value: -(next[field] ?? 0) }, rule, place, report)
  }
  for (const [field, rule] of [
    ['maxLength', 'C42'],
    ['maxItems', 'C43'],
    ['maxProperties', 'C43'],
  ] as const) {
    compareBound(
      field,
      { value: old[field] ?? Infinity },
      { value: next[field] ?? Infinity },
      rule,
      place,
      report,
    )
  }
  comparePatterns(old.pattern, next.pattern, place, report)
  compareFormats(old, next, place, report)
}

function compareEnums(
  old: readonly unknown[] | undefined,
  next: readonly unknown[] | undefined,
  place: Place,
  report: Report,
): void {
  if (!next) {
    if (old) report('C40', 'safe', place.path, 'any value is accepted, not only those of the enum')
    return
  }
  const values = (list: readonly unknown[]): string => list.map((value) => JSON.stringify(value)).join(', ')
  if (!old) {
    reportNarrower(report, 'C40', place, `only ${values(next)} are accepted`)
    return
  }
  const gone = old.filter((value) => !next.some((other) => deepEqual(value, other)))
  const added = next.filter((value) => !old.some((other) => deepEqual(value, other)))
  if (gone.length > 0) reportNarrower(report, 'C40', place, `the enum loses ${values(gone)}`)
  if (added.length > 0)
    report(
      'C40',
      'safe',
      place.path,
      `the enum gains ${values(added)}, which clients must expect when they read`,
    )
}

interface Bound {
  readonly value: number
  readonly exclusive?: boolean
}

/** Compares two upper bounds; a lower bound is the upper bound of the negated value. */
function compareBound(
  field: string,
  old: Bound,
  next: Bound,
  rule: CompatibilityRule,
  place: Place,
  report: Report,
): void {
  const exclusive = { old: old.exclusive ?? false, next: next.exclusive ?? false }
  if (old.value === next.value && (exclusive.old === exclusive.next || old.value === Infinity)) return
  const narrower = next.value < old.value || (next.value === old.value && exclusive.next)
  const words = `${field} changes from ${boundText(old)} to ${boundText(next)}`
  if (narrower) reportNarrower(report, rule, place, words)
  else report(rule, 'safe', place.path, `${words}: more values are accepted`)
}

function boundText({ value, exclusive }: Bound): string {
  if (Math.abs(value) === Infinity) return 'none'
  return `${Math.abs(value)}${exclusive ? ' (exclusive)' : ''}`
}

function compareNumbers(old: StructuralSchema, next: StructuralSchema, place: Place, report: Report): void {
  const upper = ({ maximum, exclusiveMaximum }: StructuralSchema): Bound => ({
    value: maximum ?? Infinity,
    exclusive: exclusiveMaximum ?? false,
  })
  const lower = ({ minimum, exclusiveMinimum }: StructuralSchema): Bound => ({
    value: minimum === undefined ? Infinity : -minimum,
    exclusive: exclusiveMinimum ?? false,
  })
  compareBound('maximum', upper(old), upper(next), 'C41', place, report)
  compareBound('minimum', lower(old), lower(next), 'C41', place, report)
  const [factor, other] = [old.multipleOf, next.multipleOf]
  if (factor === other) return
  if (other === undefined) report('C41', 'safe', place.path, `values need not be multiples of ${factor}`)
  else if (factor !== undefined && factor % other === 0)
    report(
      'C41',
      'safe',
      place.path,
      `values must be multiples of ${other}, and every multiple of ${factor} is one`,
    )
  else reportNarrower(report, 'C41', place, `values must be multiples of ${other}`)
}

function comparePatterns(
  old: string | undefined,
  next: string | undefined,
  place: Place,
  report: Report,
): void {
  if ((old ?? '') === (next ?? '')) return
  if (!next) report('C44', 'safe', place.path, `values need not match ${old}`)
  else reportNarrower(report, 'C44', place, `values must match ${next}`)
}

/** The formats of texts that an API server checks; it ignores the others. */
const CHECKED_TEXTS: ReadonlySet<string> = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn ' +
    'hexcolor rgbcolor byte date duration datetime k8sshortname k8slongname'
  ).split(' '),
)
/** Pairs of formats: every value of the first format also has the second one. */
const WIDER: ReadonlySet<string> = new Set([
  'uuid3 uuid',
  'uuid4 uuid',
  'uuid5 uuid',
  'isbn10 isbn',
  'isbn13 isbn',
  'k8sshortname k8slongname',
])

function compareFormats(old: StructuralSchema, next: StructuralSchema, place: Place, report: Report): void {
  const [before, after] = [checkedFormat(old), checkedFormat(next)]
  if (before === after) return
  if (after === undefined || (before !== undefined && WIDER.has(`${before} ${after}`)))
    report('C45', 'safe', place.path, `values need not have the format ${old.format}`)
  else reportNarrower(report, 'C45', place, `values must have the format ${next.format}`)
}

/** The format, if a server checks it. A whole number without a format has 64 bits. For other numbers a server checks only `float`. */
function checkedFormat({ type, format = '' }: StructuralSchema): string | undefined {
  if (type === 'integer') return format === 'int32' ? format : undefined
  if (type === 'number') return format === 'float' ? format : undefined
  const name = format.replaceAll('-', '')
  return CHECKED_TEXTS.has(name) ? name : undefined
}
