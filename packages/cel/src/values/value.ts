import type { Type } from '../types/type.ts'

/**
 * A value of the CEL language. Integers are bigints, so a JavaScript number is always a double; unsigned integers have
 * their own class. Errors are values too: `&&`, `||` and some macros may swallow them.
 */
export type Value =
  | null
  | boolean
  | bigint
  | number
  | string
  | Uint8Array
  | Uint
  | DurationValue
  | Timestamp
  | TypeValue
  | OptionalValue
  | ListValue
  | MapValue
  | OpaqueValue
  | EvaluationError

/** An unsigned integer. */
export class Uint {
  readonly value: bigint

  constructor(value: bigint) {
    this.value = value
  }
}

/** A length of time in nanoseconds. */
export class DurationValue {
  readonly nanos: bigint

  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** A point in time, in nanoseconds since 1970 in UTC. */
export class Timestamp {
  readonly nanos: bigint
  /** The minutes between UTC and the zone that it was written in: only its text shows them. */
  readonly offset: number

  constructor(nanos: bigint, offset = 0) {
    this.nanos = nanos
    this.offset = offset
  }
}

/** A type as a value, such as `type(1)` or `int`. */
export class TypeValue {
  readonly type: Type

  constructor(type: Type) {
    this.type = type
  }
}

/** A value that may be absent. */
export class OptionalValue {
  static readonly none: OptionalValue = new OptionalValue(undefined)
  readonly value: Value | undefined

  constructor(value: Value | undefined) {
    this.value = value
  }
}

/** Why an evaluation gave no value. */
export class EvaluationError {
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** A list. Elements may be made on demand. */
export abstract class ListValue {
  abstract readonly length: number
  abstract at(index: number): Value

  *[Symbol.iterator](): Iterator<Value> {
    for (let index = 0; index < this.length; index++) yield this.at(index)
  }

  /** The elements of both lists as one list; `undefined` if this class of lists leaves it to the language. */
  concat(_other: ListValue): ListValue | undefined {
    return undefined
  }

  /** Whether the lists are equal; `undefined` if this class of lists leaves the comparison to the language. */
  equals(_other: ListValue): boolean | undefined {
    return undefined
  }
}

/** A map. Keys are booleans, integers or texts; an integer is the same key whatever its type. */
export abstract class MapValue {
  abstract readonly size: number
  /** The value of a key, or `undefined` where there is none. */
  abstract get(key: Value): Value | undefined
  abstract keys(): Iterable<Value>

  /** Whether the maps are equal; `undefined` if this class of maps leaves the comparison to the language. */
  equals(_other: MapValue): boolean | undefined {
    return undefined
  }
}

/** A value of a library, such as an address or a quantity. */
export abstract class OpaqueValue {
  abstract readonly type: Type
  abstract equals(other: OpaqueValue): boolean
  /** The size by which the cost of operations on it is measured. */
  get size(): number {
    return 1
  }
}

/** Whether a value is an error. */
export function isError(value: Value): value is EvaluationError {
  return value instanceof EvaluationError
}

/** An error with this message. */
export function fail(message: string): EvaluationError {
  return new EvaluationError(message)
}
