import { isJsonObject, parseGoDuration } from '@homeostat/api'
import { CelError } from './cel-error.ts'
import { DYN, formatType, isOptionalType, type Type } from './types/type.ts'
import { ArrayList } from './values/list-value.ts'
import { EntryMap } from './values/map-value.ts'
import { parseTimestamp } from './values/time.ts'
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
} from './values/value.ts'

const NANOSECONDS = 1_000_000n

/**
 * A value of JavaScript as expressions see it under a declared type. Integers may be numbers or bigints, times are Dates or RFC 3339
 * texts, durations are texts such as `1h30m`, maps are objects or Maps. Values of the language itself pass as they are.
 *
 * @throws {CelError} `CEL_VALUE` where the value has another type.
 */
export function toCel(value: unknown, type: Type, at: string): Value {
  if (isOptionalType(type)) {
    return value === undefined
      ? OptionalValue.none
      : new OptionalValue(toCel(value, type.params[0] ?? DYN, at))
  }
  const converted = isCelObject(value) ? value : convert(value, type, at)
  if (converted !== undefined) return converted
  throw new CelError('CEL_VALUE', `${at}: expected ${formatType(type)}, got ${shown(value)}`)
}

function convert(value: unknown, type: Type, at: string): Value | undefined {
  switch (type.kind) {
    case 'bool':
      return typeof value === 'boolean' ? value : undefined
    case 'int':
      return integerOf(value)
    case 'uint': {
      const integer = integerOf(value)
      return integer === undefined || integer < 0n ? undefined : new Uint(integer)
    }
    case 'double':
      return typeof value === 'number' ? value : undefined
    case 'string':
      return typeof value === 'string' ? value : undefined
    case 'null':
      return value === null ? null : undefined
    case 'timestamp':
      return timeOf(value)
    case 'duration': {
      const nanos = typeof value === 'string' ? parseGoDuration(value) : undefined
      return nanos === undefined ? undefined : new DurationValue(nanos)
    }
    case 'list':
      return Array.isArray(value) ? listOf(value, type.params[0] ?? DYN, at) : undefined
    case 'map':
      return mapOf(value, type, at)
    case 'dyn':
      return anyOf(value, at)
    default:
      return undefined
  }
}

function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'bigint') return value
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : undefined
}

function timeOf(value: unknown): Timestamp | undefined {
  if (value instanceof Date) return new Timestamp(BigInt(value.getTime()) * NANOSECONDS)
  const time = typeof value === 'string' ? parseTimestamp(value) : undefined
  return time && new Timestamp(time.nanos, time.offset)
}

function listOf(items: readonly unknown[], element: Type, at: string): ListValue {
  return new ArrayList(items.map((item, index) => toCel(item, element, `${at}[${index}]`)))
}

function mapOf(value: unknown, type: Type, at: string): MapValue | undefined {
  const [key = DYN, element = DYN] = type.params
  const entries = value instanceof Map ? [...value] : isJsonObject(value) ? Object.entries(value) : undefined
  return (
    entries &&
    new EntryMap(
      entries.map(([name, item]) => {
        const place = `${at}[${JSON.stringify(String(name))}]`
        return [toCel(name, key, place), toCel(item, element, place)]
      }),
    )
  )
}

/** As JSON is read where no type is declared: all numbers are doubles. */
function anyOf(value: unknown, at: string): Value | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return value
  if (value instanceof Date) return timeOf(value)
  if (Array.isArray(value)) return listOf(value, DYN, at)
  return mapOf(value, { ...DYN, params: [] }, at)
}

function isCelObject(value: unknown): value is Value {
  return CEL_CLASSES.some((one) => value instanceof one)
}

const CEL_CLASSES = [
  Uint8Array,
  Uint,
  DurationValue,
  Timestamp,
  TypeValue,
  OptionalValue,
  ListValue,
  MapValue,
  OpaqueValue,
]

function shown(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : typeof value
}

/**
 * A value of the language as JavaScript has it: lists are arrays, maps are Maps, an absent optional is undefined. Integers stay bigints.
 *
 * @throws {CelError} `CEL_EVALUATION` for an error, also for one inside of a list or map.
 */
export function fromCel(value: Value): unknown {
  if (value instanceof EvaluationError) throw new CelError('CEL_EVALUATION', value.message)
  if (value instanceof ListValue) return Array.from(value, fromCel)
  if (value instanceof MapValue) {
    return new Map(Array.from(value.keys(), (key) => [fromCel(key), fromCel(value.get(key) ?? null)]))
  }
  if (value instanceof OptionalValue) return value.value === undefined ? undefined : fromCel(value.value)
  return value instanceof Uint ? value.value : value
}
