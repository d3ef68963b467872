import { sizeOfValue } from '../values/value-type.ts'
import { ListValue, MapValue, OpaqueValue, type Value } from '../values/value.ts'

/** The cost of reading a character of a text. */
export const TEXT_FACTOR = 0.1
/** The cost of a character of a pattern, for each unit of cost of reading the text. */
export const PATTERN_FACTOR = 0.25
/** The cost of making a list; a map and an object follow. */
export const LIST_COST = 10
export const MAP_COST = 30
export const STRUCT_COST = 40

/** The cost of a call, by its arguments, of which no cost depends on more than three. */
type CallCost = (first?: Value, second?: Value, third?: Value) => number

const ONE: CallCost = () => 1
const traverse: CallCost = (text) => Math.ceil(size(text) * TEXT_FACTOR)
const traverseTwice: CallCost = (text) => Math.ceil(size(text) * 2 * TEXT_FACTOR)
const compare: CallCost = (a, b) => Math.ceil(Math.min(size(a), size(b)) * TEXT_FACTOR)
const join: CallCost = (a, b) => Math.ceil((size(a) + size(b)) * TEXT_FACTOR)
const match: CallCost = (text, pattern) =>
  Math.ceil((1 + size(text)) * TEXT_FACTOR) * Math.ceil(size(pattern) * PATTERN_FACTOR)
const elements: CallCost = (list) => (list === undefined ? 0 : traversal(list))

/** The costs by function, for all of its overloads. */
const BY_FUNCTION: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...['isSorted', 'sum', 'max', 'min', 'indexOf', 'lastIndexOf'].map((name) => [name, elements] as const),
  ...['url', 'lowerAscii', 'upperAscii', 'substring', 'trim', 'jsonpatch.escapeKey'].map(
    (name) => [name, traverse] as const,
  ),
  ...['replace', 'split', 'ip.isCanonical'].map((name) => [name, traverseTwice] as const),
  ...['find', 'findAll'].map((name) => [name, match] as const),
  ...['cidr', 'isIP', 'isCIDR', 'ip', 'quantity', 'isQuantity', 'semver', 'isSemver'].map(
    (name) => [name, traverse] as const,
  ),
])

const ORDERED = [
  'int',
  'uint',
  'double',
  'bool',
  'google.protobuf.Duration',
  'google.protobuf.Timestamp',
  'string',
  'bytes',
]

/** The costs by overload, for functions that are not in `BY_FUNCTION`. */
const BY_OVERLOAD: ReadonlyMap<string, CallCost> = new Map<string, CallCost>([
  ...[
    'starts_with_string',
    'ends_with_string',
    'string_to_bytes',
    'bytes_to_string',
    'strings_quote',
    'string_format',
  ].map((id) => [id, traverse] as const),
  ['in_list', (_, list) => size(list)],
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((order) =>
    ['string', 'bytes'].map((type) => [`${order}_${type}`, compare] as const),
  ),
  ['equals', compare],
  ['not_equals', compare],
  ['add_string', join],
  ['add_bytes', join],
  ['matches_string', match],
  ['contains_string', (a, b) => Math.ceil(size(a) * TEXT_FACTOR) * Math.ceil(size(b) * TEXT_FACTOR)],
  // The authorizer may be a webhook.
  ...['pathcheck_check', 'resourcecheck_check'].map((id): [string, CallCost] => [id, () => 350_000]),
  ['cidr_ip', ONE],
  ['cidr_contains_ip_ip', (cidr) => contains(cidr)],
  ['cidr_contains_ip_string', (cidr, text) => contains(cidr) + traverse(text)],
  ['cidr_contains_cidr', (cidr) => contains(cidr) + traverse(cidr) + 1],
  ['cidr_contains_cidr_string', (cidr, text) => contains(cidr) + traverse(cidr) + 1 + traverse(text)],
  ['list_sets_contains_list', (a, b) => 1 + size(a) * size(b)],
  ['list_sets_intersects_list', (a, b) => 1 + size(a) * size(b)],
  ['list_sets_equivalent_list', (a, b) => 1 + 2 * size(a) * size(b)],
  ['list_slice', (_, start, end) => listCall(Math.max(Number(end) - Number(start), 0))],
  ['list_flatten', (list) => listCall(size(list))],
  ['list_flatten_int', (list, depth) => listCall(size(list) * Number(depth))],
  ['lists_range', (count) => listCall(Math.max(Number(count), 0))],
  ['list_reverse', (list) => listCall(size(list))],
  ['list_distinct', (list) => selfCompare(list)],
  ...ORDERED.map((type): [string, CallCost] => [`list_${type}_sort`, (list) => selfCompare(list)]),
  ...ORDERED.map((type): [string, CallCost] => [
    `list_${type}_sortByAssociatedKeys`,
    (_, keys) => selfCompare(keys),
  ]),
  ['format-validate', (format, text) => match(text, 'x'.repeat(patternSize(format)))],
])

/** The cost of calls to an overload of a function. */
interface OverloadCost {
  readonly of: CallCost
  /** Whether it is 1 for all arguments. */
  readonly isOne: boolean
  /** The cost of the result, which is charged after the call. */
  readonly ofResult?: (result: Value) => number
}

/** The result of `join` is measured, and not the arguments. */
const JOINED: OverloadCost = {
  of: () => 0,
  isOne: false,
  ofResult: (result) => Math.ceil(size(result) * 2 * TEXT_FACTOR),
}

/** The cost of calls to this overload of a function. */
export function callCost(name: string, overload: string): OverloadCost {
  if (name === 'join') return JOINED
  const of = find(name, overload)
  return { of, isOne: of === ONE }
}

function find(name: string, overload: string): CallCost {
  if (overload === 'cidr_ip') return ONE
  if (name === '_==_') return equality
  return BY_FUNCTION.get(name) ?? BY_OVERLOAD.get(overload) ?? ONE
}

/** The libraries' own values are compared in one step. */
const equality: CallCost = (a, b) => (a instanceof OpaqueValue ? 1 : compare(a, b))

function listCall(steps: number): number {
  return Math.floor(steps) + 1 + LIST_COST
}

/** The cost of comparing each element of a list with each. */
function selfCompare(list: Value | undefined): number {
  const elements = list as ListValue
  const first = elements.length > 0 ? elements.at(0) : undefined
  const factor = typeof first === 'string' || first instanceof Uint8Array ? 2 + TEXT_FACTOR : 2
  return listCall(elements.length ** 2 * factor)
}

function size(value: Value | undefined): number {
  return value === undefined ? 1 : sizeOfValue(value)
}

function contains(cidr: Value | undefined): number {
  return Math.ceil(2 * size(cidr) * TEXT_FACTOR)
}

function patternSize(format: Value | undefined): number {
  return (format as { readonly patternSize?: number } | undefined)?.patternSize ?? 1
}

/** The cost of reading a whole value. */
function traversal(value: Value): number {
  if (typeof value === 'string') return Math.floor(utf8Length(value) * TEXT_FACTOR)
  if (value instanceof Uint8Array) return Math.floor(value.length * TEXT_FACTOR)
  let cost = 0
  if (value instanceof ListValue) {
    for (const element of value) cost += traversal(element)
    return cost
  }
  if (value instanceof MapValue) {
    for (const key of value.keys()) cost += traversal(key) + traversal(value.get(key) ?? null)
    return cost
  }
  return 1
}

function utf8Length(text: string): number {
  let length = 0
  for (const char of text) {
    const code = char.codePointAt(0)!
    length += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
  }
  return length
}
