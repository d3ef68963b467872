import { compareValues, equalValues, ValueSet } from '../values/compare.ts'
import { ArrayList } from '../values/list-value.ts'
import { overload, type Library, type Overload } from './overload.ts'
import { typeOfValue } from '../values/value-type.ts'
import { DurationValue, EvaluationError, fail, ListValue, Uint, type Value } from '../values/value.ts'
import { int, uint } from './operators.ts'

const ORDERED = ['int', 'uint', 'double', 'bool', 'duration', 'timestamp', 'string', 'bytes']
const TYPE_NAMES: Readonly<Record<string, string>> = {
  duration: 'google.protobuf.Duration',
  timestamp: 'google.protobuf.Timestamp',
}

/** The libraries of list functions: Kubernetes' own, and the common one. */
export function lists(): Library {
  const ordered = (
    name: string,
    id: (type: string) => string,
    result: string,
    evaluate: (list: ListValue) => Value,
  ): Overload[] =>
    ORDERED.map((type) =>
      overload(name, id(type), `list(${type}).() -> ${result.replace('T', type)}`, evaluate),
    )
  const typeName = (type: string): string => TYPE_NAMES[type] ?? type
  return {
    overloads: [
      ...ordered('isSorted', (type) => `list_${type}_is_sorted_bool`, 'bool', isSorted),
      ...ordered(
        'max',
        (type) => `list_${type}_max_${type}`,
        'T',
        (list) => extreme(list, 'max', -1),
      ),
      ...ordered(
        'min',
        (type) => `list_${type}_min_${type}`,
        'T',
        (list) => extreme(list, 'min', 1),
      ),
      ...sums(),
      overload('indexOf', 'list_a_index_of_int', 'list(A).(A) -> int', (list, item) =>
        BigInt([...list].findIndex((element) => equalValues(element, item))),
      ),
      overload('lastIndexOf', 'list_a_last_index_of_int', 'list(A).(A) -> int', (list, item) =>
        BigInt([...list].findLastIndex((element) => equalValues(element, item))),
      ),
      overload('slice', 'list_slice', 'list(T).(int, int) -> list(T)', (list, start, end) =>
        slice(list, start, end),
      ),
      overload('flatten', 'list_flatten', 'list(list(T)).() -> list(T)', (list) => flatten(list, 1n)),
      overload('flatten', 'list_flatten_int', 'list(dyn).(int) -> list(dyn)', (list, depth) =>
        flatten(list, depth),
      ),
      ...ordered(
        'sort',
        (type) => `list_${typeName(type)}_sort`,
        'list(T)',
        (list) => sortBy(list, list),
      ),
      ...ORDERED.map((type) =>
        overload(
          '@sortByAssociatedKeys',
          `list_${typeName(type)}_sortByAssociatedKeys`,
          `list(T).(list(${type})) -> list(T)`,
          (list, keys) => sortBy(list, keys),
        ),
      ),
      overload(
        'lists.range',
        'lists_range',
        '(int) -> list(int)',
        (count) =>
          new ArrayList(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index))),
      ),
      overload(
        'reverse',
        'list_reverse',
        'list(T).() -> list(T)',
        (list) => new ArrayList([...list].reverse()),
      ),
      overload('distinct', 'list_distinct', 'list(T).() -> list(T)', (list) => {
        const seen = new ValueSet()
        return new ArrayList([...list].filter((element) => seen.add(element)))
      }),
    ],
  }
}

function sums(): Overload[] {
  const add = (type: string, zero: Value, plus: (sum: Value, next: Value) => Value): Overload =>
    overload('sum', `list_${type}_sum_${type}`, `list(${type}).() -> ${type}`, (list) => {
      let sum = zero
      for (const next of list) {
        sum = plus(sum, next)
        if (sum instanceof EvaluationError) return sum
      }
      return sum
    })
  return [
    add('int', 0n, (a, b) => int((a as bigint) + (b as bigint))),
    add('uint', new Uint(0n), (a, b) => uint((a as Uint).value + (b as Uint).value)),
    add('double', 0, (a, b) => (a as number) + (b as number)),
    add('duration', new DurationValue(0n), (a, b) => {
      const nanos = int((a as DurationValue).nanos + (b as DurationValue).nanos)
      return typeof nanos === 'bigint' ? new DurationValue(nanos) : fail('duration overflow')
    }),
  ]
}

function isSorted(list: ListValue): Value {
  let previous: Value | undefined
  for (const element of list) {
    if (previous !== undefined) {
      const order = compareValues(previous, element)
      if (order instanceof EvaluationError) return order
      if (order === 1) return false
    }
    previous = element
  }
  return true
}

function extreme(list: ListValue, name: string, replaces: number): Value {
  let best: Value | undefined
  for (const element of list) {
    const order = best === undefined ? replaces : compareValues(best, element)
    if (order instanceof EvaluationError) return order
    if (order === replaces) best = element
  }
  return best === undefined ? fail(`${name} called on empty list`) : best
}

function slice(list: ListValue, start: bigint, end: bigint): Value {
  const problem = (what: string): Value => fail(`cannot slice(${start}, ${end}), ${what}`)
  if (start < 0n || end < 0n) return problem('negative indexes not supported')
  if (start > end) return problem('start index must be less than or equal to end index')
  if (end > list.length) return problem(`list is length ${list.length}`)
  const elements: Value[] = []
  for (let index = Number(start); index < Number(end); index++) elements.push(list.at(index))
  return new ArrayList(elements)
}

function flatten(list: ListValue, depth: bigint): Value {
  if (depth < 0n) return fail('level must be non-negative')
  const elements: Value[] = []
  const add = (part: ListValue, left: bigint): void => {
    for (const element of part) {
      if (element instanceof ListValue && left > 0n) add(element, left - 1n)
      else elements.push(element)
    }
  }
  add(list, depth)
  return new ArrayList(elements)
}

/** A list in the order of other values, one for each element. */
function sortBy(list: ListValue, keys: ListValue): Value {
  if (list.length !== keys.length) {
    return fail(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    )
  }
  const pairs = [...keys].map((key, index) => ({ key, index }))
  const [first] = pairs
  if (!first) return list
  const type = typeOfValue(first.key).name
  if (pairs.some(({ key }) => typeOfValue(key).name !== type))
    return fail('list elements must have the same type')
  if (compareValues(first.key, first.key) instanceof EvaluationError)
    return fail('list elements must be comparable')
  pairs.sort((a, b) => (compareValues(a.key, b.key) as number | undefined) ?? 0)
  return new ArrayList(pairs.map(({ index }) => list.at(index)))
}
