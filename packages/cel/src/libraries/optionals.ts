import { ArrayList } from '../values/list-value.ts'
import { EntryMap, GrowingMap } from '../values/map-value.ts'
import { overload, type Library } from './overload.ts'
import { DYN, optionalType } from '../types/type.ts'
import { valueText } from '../values/value-text.ts'
import {
  DurationValue,
  fail,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts'

/** Values that may be absent. */
export function optionals(): Library {
  const never = (): Value => fail('no such overload')
  const unwrap = (list: ListValue): Value => {
    const values: Value[] = []
    for (const element of list) {
      if (!(element instanceof OptionalValue)) return fail(`value ${valueText(element)} is not optional`)
      if (element.value !== undefined) values.push(element.value)
    }
    return new ArrayList(values)
  }
  return {
    overloads: [
      overload('optional.of', 'optional_of', '(V) -> optional(V)', (value) => new OptionalValue(value)),
      overload('optional.ofNonZeroValue', 'optional_ofNonZeroValue', '(V) -> optional(V)', (value) =>
        isZero(value) ? OptionalValue.none : new OptionalValue(value),
      ),
      overload('optional.none', 'optional_none', '() -> optional(V)', () => OptionalValue.none),
      overload('value', 'optional_value', 'optional(V).() -> V', (optional) => {
        const { value } = optional
        return value === undefined ? fail('optional.none() dereference') : value
      }),
      overload(
        'hasValue',
        'optional_hasValue',
        'optional(V).() -> bool',
        (optional) => optional.value !== undefined,
      ),
      overload('or', 'optional_or_optional', 'optional(V).(optional(V)) -> optional(V)', never),
      overload('orValue', 'optional_orValue_value', 'optional(V).(V) -> V', never),
      overload('_[?_]', 'list_optindex_optional_int', '(list(V), int) -> optional(V)', never),
      overload(
        '_[?_]',
        'optional_list_optindex_optional_int',
        '(optional(list(V)), int) -> optional(V)',
        never,
      ),
      overload('_[?_]', 'map_optindex_optional_value', '(map(K, V), K) -> optional(V)', never),
      overload(
        '_[?_]',
        'optional_map_optindex_optional_value',
        '(optional(map(K, V)), K) -> optional(V)',
        never,
      ),
      overload('_[_]', 'optional_list_index_int', '(optional(list(V)), int) -> optional(V)', never),
      overload('_[_]', 'optional_map_index_value', '(optional(map(K, V)), K) -> optional(V)', never),
      overload('last', 'list_last', 'list(V).() -> optional(V)', (list) => element(list, -1)),
      overload('first', 'list_first', 'list(V).() -> optional(V)', (list) => element(list, 0)),
      overload('optional.unwrap', 'optional_unwrap', '(list(optional(V))) -> list(V)', unwrap),
      overload('unwrapOpt', 'optional_unwrapOpt', 'list(optional(V)).() -> list(V)', unwrap),
    ],
    types: { optional_type: optionalType(DYN) },
  }
}

/** The functions that macros call to build maps. */
export function mapInsertion(): Library {
  const insert = (map: MapValue, entries: Iterable<readonly [Value, Value]>): Value => {
    const target =
      map instanceof GrowingMap ? map : new EntryMap([...map.keys()].map((key) => [key, map.get(key)!]))
    for (const [key, value] of entries) {
      if (!target.put(key, value)) return fail(`insert failed: key ${valueText(key)} already exists`)
    }
    return target
  }
  return {
    overloads: [
      overload('cel.@mapInsert', '@mapInsert_map_map', '(map(K, V), map(K, V)) -> map(K, V)', (map, other) =>
        insert(
          map,
          [...other.keys()].map((key) => [key, other.get(key)!] as const),
        ),
      ),
      overload(
        'cel.@mapInsert',
        '@mapInsert_map_key_value',
        '(map(K, V), K, V) -> map(K, V)',
        (map, key, value) => insert(map, [[key!, value!]]),
      ),
    ],
  }
}

function element(list: ListValue, index: number): Value {
  return list.length === 0
    ? OptionalValue.none
    : new OptionalValue(list.at(index < 0 ? list.length + index : index))
}

/** Whether a value is its type's zero or empty one. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === '' || value === 0 || value === 0n) return true
  if (value instanceof Uint) return value.value === 0n
  if (value instanceof DurationValue || value instanceof Timestamp)
    return value instanceof DurationValue && value.nanos === 0n
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length === 0
  if (value instanceof MapValue) return value.size === 0
  return value instanceof OptionalValue && value.value === undefined
}
