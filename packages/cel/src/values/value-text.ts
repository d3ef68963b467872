import { formatDuration, formatTimestamp } from './time.ts'
import {
  DurationValue,
  EvaluationError,
  ListValue,
  MapValue,
  OptionalValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from './value.ts'

/** A value as the API's messages show it. */
export function valueText(value: Value): string {
  if (value === null) return 'null'
  switch (typeof value) {
    case 'string':
      return value
    case 'boolean':
    case 'bigint':
      return String(value)
    case 'number':
      return doubleText(value)
  }
  if (value instanceof Uint) return String(value.value)
  if (value instanceof DurationValue) return formatDuration(value.nanos)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof TypeValue) return value.type.name
  if (value instanceof EvaluationError) return value.message
  if (value instanceof ListValue) return `[${[...value].map((element) => valueText(element)).join(' ')}]`
  if (value instanceof MapValue) {
    const entries = [...value.keys()].map((key) => `${valueText(key)}:${valueText(value.get(key) ?? null)}`)
    return `map[${entries.join(' ')}]`
  }
  if (value instanceof OptionalValue) {
    return value.value === undefined ? 'optional.none()' : `optional(${valueText(value.value)})`
  }
  if (value instanceof Uint8Array) return `[${[...value].join(' ')}]`
  return value.type.name
}

/** A double in its shortest form, with an exponent below 1e-4 and from 1e6 up or, where asked, from 1e21 up. */
export function doubleText(value: number, plainBelow = 1e6): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const size = Math.abs(value)
  if (size >= 1e-4 && size < plainBelow) return String(value)
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
}
