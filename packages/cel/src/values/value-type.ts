import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  ERROR,
  INT,
  listType,
  mapType,
  NULL,
  optionalType,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
  type Type,
} from '../types/type.ts'
import {
  DurationValue,
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts'

const LIST = listType(DYN)
const MAP = mapType(DYN, DYN)
const OPTIONAL = optionalType(DYN)

/** The type of a value at run time. It does not include the types of the elements of lists and maps. */
export function typeOfValue(value: Value): Type {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'boolean':
      return BOOL
    case 'bigint':
      return INT
    case 'number':
      return DOUBLE
    default:
      if (value === null) return NULL
      return typeOfObject(value)
  }
}

function typeOfObject(value: Exclude<Value, null | string | boolean | bigint | number>): Type {
  if (value instanceof ListValue) return LIST
  if (value instanceof MapValue) return MAP
  if (value instanceof Uint8Array) return BYTES
  if (value instanceof Uint) return UINT
  if (value instanceof DurationValue) return DURATION
  if (value instanceof Timestamp) return TIMESTAMP
  if (value instanceof TypeValue) return TYPE
  if (value instanceof OptionalValue) return OPTIONAL
  if (value instanceof EvaluationError) return ERROR
  return value.type
}

/** Returns a test whether a value can be an argument of a type. It is made once, since every call runs it. */
export function guardOf(type: Type): (value: Value) => boolean {
  switch (type.kind) {
    case 'dyn':
    case 'param':
      return () => true
    case 'int':
      return (value) => typeof value === 'bigint'
    case 'string':
      return (value) => typeof value === 'string'
    case 'bool':
      return (value) => typeof value === 'boolean'
    case 'double':
      return (value) => typeof value === 'number'
    case 'list':
      return (value) => value instanceof ListValue
    case 'map':
    case 'struct':
      return (value) => value instanceof MapValue
    case 'opaque':
      if (type.name === 'optional_type') return (value) => value instanceof OptionalValue
      return (value) => value instanceof OpaqueValue && value.type.name === type.name
    default:
      return (value) => typeOfValue(value).kind === type.kind
  }
}

/** The size of a value for the meter: characters, bytes, elements or entries, and 1 for the rest. */
export function sizeOfValue(value: Value): number {
  if (typeof value === 'string') return textLength(value)
  if (value instanceof ListValue || value instanceof Uint8Array) return value.length
  if (value instanceof MapValue || value instanceof OpaqueValue) return value.size
  if (value instanceof OptionalValue && value.value !== undefined) return sizeOfValue(value.value)
  return 1
}

/** The number of characters of a text: a pair of surrogates is one. */
export function textLength(text: string): number {
  let { length } = text
  for (let index = 0; index < text.length - 1; index++) {
    const code = text.charCodeAt(index)
    if (code >= 0xd800 && code <= 0xdbff) {
      length--
      index++
    }
  }
  return length
}
