import { isGoDuration } from '@homeostat/api'
import { compareValues, listContains } from '../values/compare.ts'
import { concatLists } from '../values/list-value.ts'
import { overload, type Evaluate, type Library, type Overload } from './overload.ts'
import { isTimestamp } from '../values/time.ts'
import { textLength } from '../values/value-type.ts'
import {
  type ListValue,
  DurationValue,
  EvaluationError,
  fail,
  MapValue,
  Timestamp,
  Uint,
  type Value,
} from '../values/value.ts'

/** The operators of the language, `size` and `in`. */
export function operators(): Library {
  const never: Evaluate = () => fail('no such overload')
  return {
    overloads: [
      // The program itself evaluates these, since it need not evaluate all of their arguments.
      overload('_?_:_', 'conditional', '(bool, A, A) -> A', never),
      overload('_&&_', 'logical_and', '(bool, bool) -> bool', never),
      overload('_||_', 'logical_or', '(bool, bool) -> bool', never),
      overload('@not_strictly_false', 'not_strictly_false', '(bool) -> bool', never),
      overload('_==_', 'equals', '(A, A) -> bool', never),
      overload('_!=_', 'not_equals', '(A, A) -> bool', never),
      overload('_[_]', 'index_list', '(list(A), int) -> A', never),
      overload('_[_]', 'index_map', '(map(A, B), A) -> B', never),
      overload('!_', 'logical_not', '(bool) -> bool', (value) => !value),
      ...arithmetic(),
      ...['<', '<=', '>', '>='].flatMap((operator) => comparison(operator)),
      overload('@in', 'in_list', '(A, list(A)) -> bool', (value, list) => listContains(list, value)),
      overload('@in', 'in_map', '(A, map(A, B)) -> bool', (key, map) => map.get(key) !== undefined),
      ...size(),
    ],
  }
}

const INT_MIN = -(2n ** 63n)
const INT_MAX = 2n ** 63n - 1n
const UINT_MAX = 2n ** 64n - 1n

/** An integer, or the error for one that does not fit in 64 bits. */
export function int(value: bigint): Value {
  return value < INT_MIN || value > INT_MAX ? fail('integer overflow') : value
}

/** An unsigned integer, or the error for one that does not fit in 64 bits. */
export function uint(value: bigint): Value {
  return value < 0n || value > UINT_MAX ? fail('unsigned integer overflow') : new Uint(value)
}

function duration(nanos: bigint): Value {
  return isGoDuration(nanos) ? new DurationValue(nanos) : fail('duration overflow')
}

function timestamp(nanos: bigint, offset = 0): Value {
  return isTimestamp(nanos) ? new Timestamp(nanos, offset) : fail('timestamp overflow')
}

type Time = DurationValue | Timestamp

function arithmetic(): Overload[] {
  const ints = (
    name: string,
    id: string,
    compute: (a: bigint, b: bigint) => bigint | EvaluationError,
  ): Overload[] => [
    overload(name, `${id}_int64`, '(int, int) -> int', (a, b) => checked(compute(a, b), int)),
    overload(name, `${id}_uint64`, '(uint, uint) -> uint', (a, b) =>
      checked(compute(a.value, b.value), uint),
    ),
  ]
  const doubles = (name: string, id: string, compute: (a: number, b: number) => number): Overload =>
    overload(name, `${id}_double`, '(double, double) -> double', (a, b) => compute(a, b))
  const times = (
    name: string,
    id: string,
    signature: string,
    make: (nanos: bigint, offset: number) => Value,
    sign: bigint,
  ): Overload =>
    overload(name, id, signature, (a, b) =>
      make((a as Time).nanos + sign * (b as Time).nanos, offsetOf(a) || offsetOf(b)),
    )
  return [
    overload('_+_', 'add_bytes', '(bytes, bytes) -> bytes', (a, b) => new Uint8Array([...a, ...b])),
    doubles('_+_', 'add', (a, b) => a + b),
    times('_+_', 'add_duration_duration', '(duration, duration) -> duration', duration, 1n),
    times('_+_', 'add_duration_timestamp', '(duration, timestamp) -> timestamp', timestamp, 1n),
    times('_+_', 'add_timestamp_duration', '(timestamp, duration) -> timestamp', timestamp, 1n),
    ...ints('_+_', 'add', (a, b) => a + b),
    overload('_+_', 'add_list', '(list(A), list(A)) -> list(A)', (a, b) => concatLists(a, b)),
    overload('_+_', 'add_string', '(string, string) -> string', (a, b) => `${a}${b}`),
    doubles('_/_', 'divide', (a, b) => a / b),
    ...ints('_/_', 'divide', (a, b) => (b === 0n ? fail('division by zero') : a / b)),
    ...ints('_%_', 'modulo', (a, b) => (b === 0n ? fail('modulus by zero') : a % b)),
    doubles('_*_', 'multiply', (a, b) => a * b),
    ...ints('_*_', 'multiply', (a, b) => a * b),
    overload('-_', 'negate_double', '(double) -> double', (a) => -a),
    overload('-_', 'negate_int64', '(int) -> int', (a) => int(-a)),
    doubles('_-_', 'subtract', (a, b) => a - b),
    times('_-_', 'subtract_duration_duration', '(duration, duration) -> duration', duration, -1n),
    ...ints('_-_', 'subtract', (a, b) => a - b),
    times('_-_', 'subtract_timestamp_duration', '(timestamp, duration) -> timestamp', timestamp, -1n),
    times('_-_', 'subtract_timestamp_timestamp', '(timestamp, timestamp) -> duration', duration, -1n),
  ]
}

function offsetOf(value: Value | undefined): number {
  return value instanceof Timestamp ? value.offset : 0
}

function checked(value: bigint | EvaluationError, make: (value: bigint) => Value): Value {
  return value instanceof EvaluationError ? value : make(value)
}

/** Compares two integers, or the order of two other values with 0. */
type Holds = <T extends bigint | number>(a: T, b: T) => boolean

const ORDERS: Readonly<Record<string, readonly [id: string, holds: Holds]>> = {
  '<': ['less', (a, b) => a < b],
  '<=': ['less_equals', (a, b) => a <= b],
  '>': ['greater', (a, b) => a > b],
  '>=': ['greater_equals', (a, b) => a >= b],
}

function comparison(operator: string): Overload[] {
  const [id, holds] = ORDERS[operator]!
  const compare: Evaluate = (a, b) => {
    if (typeof a === 'bigint' && typeof b === 'bigint') return holds(a, b)
    const order = compareValues(a, b)
    if (order instanceof EvaluationError) return order
    return order === undefined ? fail('NaN values cannot be ordered') : holds(order, 0)
  }
  const same = ['bool', 'int', 'uint', 'double', 'string', 'bytes', 'timestamp', 'duration']
  const name = (type: string): string => (type === 'int' || type === 'uint' ? `${type}64` : type)
  const pairs = [
    ...same.map((type) => [type, type]),
    ...['int', 'uint', 'double'].flatMap((a) =>
      ['int', 'uint', 'double'].filter((b) => a !== b).map((b) => [a, b]),
    ),
  ] as [string, string][]
  return pairs.map(([a, b]) =>
    overload(
      `_${operator}_`,
      a === b ? `${id}_${name(a)}` : `${id}_${name(a)}_${name(b)}`,
      `(${a}, ${b}) -> bool`,
      compare,
    ),
  )
}

function size(): Overload[] {
  const measure: Evaluate = (value) => {
    if (typeof value === 'string') return BigInt(textLength(value))
    if (value instanceof MapValue) return BigInt(value.size)
    return BigInt((value as ListValue | Uint8Array).length)
  }
  return ['bytes', 'list(A)', 'map(A, B)', 'string'].flatMap((type) => [
    overload('size', `size_${type.replace(/\(.*/, '')}`, `(${type}) -> int`, measure),
    overload('size', `${type.replace(/\(.*/, '')}_size`, `${type}.() -> int`, measure),
  ])
}
