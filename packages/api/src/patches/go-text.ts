import { isExactNumber, isJsonObject } from '../json/index.ts'

/**
 * A decoded JSON value as Go prints it, and so as Kubernetes' messages show it: `map[spec:map[replicas:5]]`. Keys
 * are sorted, and a number that is not a 64-bit integer has an exponent from a million on.
 */
export function goText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'string') return value
  if (typeof value === 'number') return numberText(value)
  if (isExactNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return `[${value.map((item) => goText(item)).join(' ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const fields = Object.keys(value).sort()
  return `map[${fields.map((name) => `${name}:${goText(value[name])}`).join(' ')}]`
}

/** The same where Go expects a text: any other value is shown with its type, as in `%!s(bool=true)`. */
export function goString(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return '%!s(<nil>)'
  if (Array.isArray(value)) return `[${value.map((item) => insideString(item)).join(' ')}]`
  if (isJsonObject(value) && !isExactNumber(value)) {
    const fields = Object.keys(value).sort()
    return `map[${fields.map((name) => `${name}:${insideString(value[name])}`).join(' ')}]`
  }
  return `%!s(${goTypeOf(value)}=${goText(value)})`
}

/** Inside a list or a map, nothing is shown without the mark. */
function insideString(value: unknown): string {
  return value === null || value === undefined ? '<nil>' : goString(value)
}

/** Go's name for the type of a decoded JSON value. */
export function goTypeOf(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (Array.isArray(value)) return '[]interface {}'
  if (isJsonObject(value)) return 'map[string]interface {}'
  const whole = isExactNumber(value) || (Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 63)
  return whole ? 'int64' : 'float64'
}

function numberText(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < 2 ** 63) return String(value)
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

/** The escapes in Kubernetes' messages for which JSON has others. */
const ESCAPES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    '\\u0007': '\\a',
    '\\u000b': '\\v',
    '\u007f': '\\x7f',
  }),
)

/** A text in double quotes, with the escapes that Kubernetes' messages have. */
export function goQuote(text: string): string {
  return JSON.stringify(text).replaceAll(
    /\\\\|\\u00[0-9a-f]{2}|\u007f/g,
    (escape) => ESCAPES.get(escape) ?? escape.replace('\\u00', '\\x'),
  )
}
