import { isExactNumber } from '@homeostat/api'
import { latePattern } from '../../work/index.ts'
import { isObject, textOf } from './json.ts'

/** Text in double quotes as the API's messages show it: control and invisible characters escaped. */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`
  // In one go over the text, which may be megabytes long.
  return `"${text.replaceAll(escaped(), (char) => SHORT.get(char) ?? escape(char))}"`
}

/** Strings without characters to escape: most of them. */
const PLAIN = /^[ !#-[\]-~]*$/
const escaped = latePattern(String.raw`["\\]|[^\p{L}\p{M}\p{N}\p{P}\p{S} ]`, 'gu')
const printable = latePattern(String.raw`^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$`, 'u')

/** Whether Go counts a character as printable. */
export function isPrintable(char: string): boolean {
  return printable().test(char)
}

const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
])

function escape(char: string): string {
  const code = char.codePointAt(0) ?? 0
  if (code < 0x80) return `\\x${hex(code, 2)}`
  return code > 0xffff ? `\\U${hex(code, 8)}` : `\\u${hex(code, 4)}`
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0')
}

/** A number as the API's messages show it: exponents have two digits and begin below 1e-4, for a fraction also from a million on. */
export function numberText(value: number | bigint): string {
  if (typeof value === 'bigint') return String(value)
  if (Number.isInteger(value)) {
    return Math.abs(value) < 2 ** 63 ? String(value) : padExponent(value.toExponential())
  }
  return floatText(value)
}

/** A number as Go prints a float64: with an exponent from a million on. */
export function floatText(value: number): string {
  const [digits = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 21 && (power < 6 || value === 0)) return String(value)
  return padExponent(`${digits}e${exponent}`)
}

function padExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2')
}

/** JSON that a message shows as it is: for values whose keys have a fixed order. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

  /** An object with its keys in the order given; those without a value are left out. */
  static object(...fields: readonly (readonly [name: string, value: unknown])[]): RawJson {
    const present = fields.filter(([, value]) => value !== undefined)
    return new RawJson(
      `{${present.map(([name, value]) => `${jsonString(name)}:${jsonText(value)}`).join(',')}}`,
    )
  }
}

/** JSON as the API's messages and keys show it: keys sorted, and `<`, `>`, `&` escaped. */
export function jsonText(value: unknown): string {
  if (value === undefined || value === null) return 'null'
  if (value instanceof RawJson) return value.text
  if (typeof value === 'string') return jsonString(value)
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (isExactNumber(value)) return value.rawJSON
  if (Array.isArray(value)) return `[${value.map((part) => jsonText(part)).join(',')}]`
  if (!isObject(value)) return textOf(value)
  let text = ''
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue
    text += `${text === '' ? '' : ','}${jsonString(key)}:${jsonText(value[key])}`
  }
  return `{${text}}`
}

const UNSAFE = /[<>&\u2028\u2029]/g
/** A text without any character that is escaped. Most are names. */
const UNESCAPED = /^[ !#-%'-;=?-[\]-~]*$/

function jsonString(text: string): string {
  if (UNESCAPED.test(text)) return `"${text}"`
  const json = JSON.stringify(text)
  if (json.search(UNSAFE) < 0) return json
  return json.replace(UNSAFE, (char) => `\\u${hex(char.charCodeAt(0), 4)}`)
}
