import { parseGoDuration } from '@homeostat/api'
import { overload, type Evaluate, type Library, type Overload, type ValueOf } from './overload.ts'
import { formatDuration, formatTimestamp, isTimestamp, parseTimestamp, SECOND } from '../values/time.ts'
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  STRING,
  TIMESTAMP,
  TYPE,
  UINT,
} from '../types/type.ts'
import { doubleText, valueText } from '../values/value-text.ts'
import { typeOfValue } from '../values/value-type.ts'
import {
  DurationValue,
  fail,
  Timestamp,
  TypeValue,
  Uint,
  type EvaluationError,
  type Value,
} from '../values/value.ts'
import { int, uint } from './operators.ts'

/** Conversions between types, and the names of types. */
export function conversions(): Library {
  const same: Evaluate = (value) => value!
  const convert = <From extends string>(
    name: string,
    from: From,
    id: string,
    evaluate: (value: ValueOf<From>) => Value,
  ): Overload => overload(name, id, `(${from}) -> ${name}`, evaluate as Evaluate)
  return {
    overloads: [
      overload('type', 'type', '(A) -> type(A)', (value) => new TypeValue(typeOfValue(value))),
      overload('dyn', 'to_dyn', '(A) -> dyn', same),
      convert('bool', 'bool', 'bool_to_bool', same),
      convert('bool', 'string', 'string_to_bool', parseBool),
      convert('bytes', 'bytes', 'bytes_to_bytes', same),
      convert('bytes', 'string', 'string_to_bytes', (text) => new TextEncoder().encode(text)),
      convert('double', 'double', 'double_to_double', same),
      convert('double', 'int', 'int64_to_double', (value) => Number(value)),
      convert('double', 'string', 'string_to_double', (text) => parseDouble(text)),
      convert('double', 'uint', 'uint64_to_double', (value) => Number(value.value)),
      convert('duration', 'duration', 'duration_to_duration', same),
      convert('duration', 'int', 'int64_to_duration', (value) => new DurationValue(value)),
      convert('duration', 'string', 'string_to_duration', (text) => {
        const nanos = parseGoDuration(text)
        return nanos === undefined
          ? conversionError('string', 'google.protobuf.Duration')
          : new DurationValue(nanos)
      }),
      convert('int', 'int', 'int64_to_int64', same),
      convert('int', 'double', 'double_to_int64', (double) => {
        const fits = double > -(2 ** 63) && double < 2 ** 63
        return fits ? BigInt(Math.trunc(double)) : fail('integer overflow')
      }),
      convert('int', 'duration', 'duration_to_int64', (value) => value.nanos),
      convert('int', 'string', 'string_to_int64', (text) => {
        if (!/^[+-]?\d+$/.test(text)) return conversionError('string', 'int')
        const value = int(BigInt(text.replace('+', '')))
        return typeof value === 'bigint' ? value : conversionError('string', 'int')
      }),
      convert('int', 'timestamp', 'timestamp_to_int64', (value) => floorSeconds(value.nanos)),
      convert('int', 'uint', 'uint64_to_int64', (value) => int(value.value)),
      convert('string', 'string', 'string_to_string', same),
      convert('string', 'bool', 'bool_to_string', (value) => valueText(value)),
      convert('string', 'bytes', 'bytes_to_string', decodeUtf8),
      convert('string', 'double', 'double_to_string', (value) => doubleText(value)),
      convert('string', 'duration', 'duration_to_string', (value) => formatDuration(value.nanos)),
      convert('string', 'int', 'int64_to_string', (value) => valueText(value)),
      convert('string', 'timestamp', 'timestamp_to_string', (value) => formatTimestamp(value)),
      convert('string', 'uint', 'uint64_to_string', (value) => String(value.value)),
      convert('timestamp', 'timestamp', 'timestamp_to_timestamp', same),
      convert('timestamp', 'int', 'int64_to_timestamp', (value) => timestamp(value * SECOND)),
      convert('timestamp', 'string', 'string_to_timestamp', (text) => {
        const time = parseTimestamp(text)
        if (!time) return conversionError('string', 'google.protobuf.Timestamp')
        return isTimestamp(time.nanos) ? new Timestamp(time.nanos, time.offset) : fail('timestamp overflow')
      }),
      convert('uint', 'uint', 'uint64_to_uint64', same),
      convert('uint', 'double', 'double_to_uint64', (double) => {
        const fits = double >= 0 && double < 2 ** 64
        return fits ? new Uint(BigInt(Math.trunc(double))) : fail('unsigned integer overflow')
      }),
      convert('uint', 'int', 'int64_to_uint64', (value) => uint(value)),
      convert('uint', 'string', 'string_to_uint64', (text) => {
        if (!/^\d+$/.test(text)) return conversionError('string', 'uint')
        const value = uint(BigInt(text))
        return value instanceof Uint ? value : conversionError('string', 'uint')
      }),
    ],
    types: typeNames(),
  }
}

function parseBool(text: string): Value {
  if (['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text)) return true
  if (['0', 'f', 'F', 'FALSE', 'false', 'False'].includes(text)) return false
  return conversionError('string', 'bool')
}

function decodeUtf8(bytes: Uint8Array): Value {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return fail('invalid UTF-8 in bytes, cannot convert to string')
  }
}

/** The names of types in expressions: `type(self) == int`. */
function typeNames(): Library['types'] {
  return {
    bool: BOOL,
    bytes: BYTES,
    double: DOUBLE,
    'google.protobuf.Duration': DURATION,
    'google.protobuf.Timestamp': TIMESTAMP,
    int: INT,
    list: listType(DYN),
    map: mapType(DYN, DYN),
    null_type: NULL,
    string: STRING,
    type: TYPE,
    uint: UINT,
  }
}

function conversionError(from: string, to: string): EvaluationError {
  return fail(`type conversion error from '${from}' to '${to}'`)
}

function timestamp(nanos: bigint): Value {
  return isTimestamp(nanos) ? new Timestamp(nanos) : fail('timestamp overflow')
}

function floorSeconds(nanos: bigint): bigint {
  return nanos % SECOND < 0n ? nanos / SECOND - 1n : nanos / SECOND
}

function parseDouble(text: string): Value {
  if (/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)) {
    const value = Number(text)
    return Number.isFinite(value) ? value : conversionError('string', 'double')
  }
  if (/^[+-]?inf(inity)?$/i.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  return /^nan$/i.test(text) ? Number.NaN : conversionError('string', 'double')
}
