import { compareText } from '../values/compare.ts'
import { formatDuration, formatTimestamp } from '../values/time.ts'
import { typeOfValue } from '../values/value-type.ts'
import { doubleText } from '../values/value-text.ts'
import {
  DurationValue,
  fail,
  ListValue,
  MapValue,
  Timestamp,
  TypeValue,
  Uint,
  type Value,
} from '../values/value.ts'

const PRECISION = 6

/** A clause of a format, such as `%.2f`. */
export interface Clause {
  readonly letter: string
  readonly precision: number | undefined
}

/** The parts of a format: texts, and clauses that each take an argument; or its error. */
export function parseFormat(format: string): readonly (string | Clause)[] | Error {
  const parts: (string | Clause)[] = []
  let text = ''
  for (let index = 0; index < format.length;) {
    if (format[index] !== '%') text += format[index++]
    else if (format[index + 1] === '%') {
      text += '%'
      index += 2
    } else {
      if (index + 1 >= format.length) return new Error('unexpected end of string')
      const clause = parseClause(format.slice(index + 1))
      if (clause instanceof Error) return new Error(`could not parse formatting clause: ${clause.message}`)
      if (text !== '') parts.push(text)
      text = ''
      parts.push(clause)
      index += 1 + clause.length
    }
  }
  if (text !== '') parts.push(text)
  return parts
}

function parseClause(text: string): (Clause & { readonly length: number }) | Error {
  let length = 0
  let precision: number | undefined
  if (text.startsWith('.')) {
    const digits = /^\.(\d*)/.exec(text)![1]!
    length = digits.length + 1
    if (length >= text.length) {
      return new Error('error while parsing precision: could not find end of precision specifier')
    }
    if (digits === '') {
      const problem = 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax'
      return new Error(`error while parsing precision: ${problem}`)
    }
    precision = Number(digits)
  }
  const letter = text[length] ?? ''
  if (!'sdfebxXo'.includes(letter)) return new Error(`unrecognized formatting clause "${letter}"`)
  return { letter, precision, length: length + 1 }
}

/** Why a clause cannot show values of a type. */
export function clauseProblem(letter: string, type: string): string {
  const given = `was given ${type}`
  switch (letter) {
    case 's':
      return `string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, ${given}`
    case 'd':
      return `decimal clause can only be used on integers, ${given}`
    case 'f':
      return `fixed-point clause can only be used on doubles, ${given}`
    case 'e':
      return `scientific clause can only be used on doubles, ${given}`
    case 'b':
      return `only integers and bools can be formatted as binary, ${given}`
    case 'o':
      return `octal clause can only be used on integers, ${given}`
    default:
      return `only integers, byte buffers, and strings can be formatted as hex, ${given}`
  }
}

/** A text with its clauses filled in. */
export function formatText(format: string, args: readonly Value[]): Value {
  const parts = parseFormat(format)
  if (parts instanceof Error) {
    return args.length === 0 ? fail('index 0 out of range') : fail(parts.message)
  }
  let out = ''
  let next = 0
  for (const part of parts) {
    if (typeof part === 'string') {
      out += part
      continue
    }
    const arg = args[next]
    if (arg === undefined) return fail(`index ${next} out of range`)
    const text = show(part, arg)
    if (text === undefined) {
      return fail(`error during formatting: ${clauseProblem(part.letter, typeOfValue(arg).name)}`)
    }
    out += text
    next++
  }
  return out
}

function show({ letter, precision }: Clause, value: Value): string | undefined {
  switch (letter) {
    case 's':
      return plain(value)
    case 'd':
      return radix(value, 10)
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : radix(value, 2)
    case 'o':
      return radix(value, 8)
    case 'x':
      return hexadecimal(value)
    case 'X':
      return hexadecimal(value)?.toUpperCase()
    default: {
      const double = doubleOf(value)
      if (double === undefined) return undefined
      return letter === 'f' ? fixed(double, precision ?? PRECISION) : scientific(double, precision ?? 0)
    }
  }
}

function doubleOf(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value)
  return undefined
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN'
  return Number.isFinite(value) ? undefined : value > 0 ? '\u221e' : '-\u221e'
}

/** Numbers are written as in American English: `1,234.500`. */
function fixed(value: number, precision: number): string {
  const known = special(value)
  if (known !== undefined) return known
  const [whole, fraction = ''] = rounded(Math.abs(value), Math.min(precision, EXACT)).split('.') as [
    string,
    string?,
  ]
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return `${value < 0 || Object.is(value, -0) ? '-' : ''}${grouped}${fraction && '.'}${fraction}`
}

/** How many decimal digits distinguish an exact half from a value close to it. */
const EXACT = 99

/** With a number of digits; halves are rounded to the even digit. */
function rounded(size: number, digits: number): string {
  if (size >= 1e21) return `${BigInt(size)}${digits > 0 ? `.${'0'.repeat(digits)}` : ''}`
  const text = size.toFixed(digits)
  // Halves that are exact have few digits: a double's fraction ends there.
  const whole = size.toFixed(EXACT)
  const rest = whole.slice(whole.indexOf('.') + 1 + digits)
  if (!/^50*$/.test(rest) || /[02468]$/.test(text)) return text
  const even = String(BigInt(text.replace('.', '')) - 1n).padStart(digits + 1, '0')
  return digits === 0 ? even : `${even.slice(0, -digits)}.${even.slice(-digits)}`
}

const SUPERSCRIPTS = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079'

/** As in all versions of Kubernetes, the precision of a scientific clause is used as its width. */
function scientific(value: number, width: number): string {
  const known = special(value)
  if (known !== undefined) return known
  const [mantissa, exponent] = value.toExponential(PRECISION).split('e') as [string, string]
  const digits = exponent.slice(1).padStart(2, '0')
  const raised = Array.from(digits)
    .map((digit) => SUPERSCRIPTS[Number(digit)])
    .join('')
  return `${mantissa}\u00d710${exponent.startsWith('-') ? '\u207b' : ''}${raised}`.padStart(width)
}

function radix(value: Value, base: number): string | undefined {
  if (typeof value === 'bigint') return value.toString(base)
  return value instanceof Uint ? value.value.toString(base) : undefined
}

function hexadecimal(value: Value): string | undefined {
  const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value
  if (bytes instanceof Uint8Array) {
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }
  return radix(value, 16)
}

function plain(value: Value): string | undefined {
  if (value === null) return 'null'
  if (typeof value === 'string') return value
  if (typeof value === 'number') return doubleText(value)
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Timestamp) return formatTimestamp(value)
  if (value instanceof DurationValue) return formatDuration(value.nanos)
  if (value instanceof TypeValue) return value.type.name
  if (value instanceof Uint8Array) return new TextDecoder().decode(value)
  if (value instanceof ListValue)
    return collection(
      [...value].map((element) => literal(element)),
      '[',
      ']',
    )
  if (!(value instanceof MapValue)) return undefined
  const entries: [string, string | undefined][] = []
  for (const key of value.keys()) entries.push([literal(key) ?? '', literal(value.get(key) ?? null)])
  entries.sort(([a], [b]) => compareText(a, b))
  const shown = entries.map(([key, content]) => (content === undefined ? undefined : `${key}:${content}`))
  return collection(shown, '{', '}')
}

function collection(parts: readonly (string | undefined)[], open: string, close: string): string | undefined {
  return parts.includes(undefined) ? undefined : `${open}${parts.join(', ')}${close}`
}

/** A value inside of a list or map, as one would write it in an expression. */
function literal(value: Value): string | undefined {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof Uint8Array) return `b${JSON.stringify(new TextDecoder().decode(value))}`
  if (value instanceof Timestamp) return `timestamp("${formatTimestamp(value)}")`
  if (value instanceof DurationValue) return `duration("${formatDuration(value.nanos)}")`
  if (typeof value !== 'number') return plain(value)
  if (Number.isFinite(value)) return value.toFixed(PRECISION)
  return JSON.stringify(doubleText(value))
}
