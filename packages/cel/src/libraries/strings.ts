import { ArrayList } from '../values/list-value.ts'
import { overload, type Library } from './overload.ts'
import { textLength } from '../values/value-type.ts'
import { valueText } from '../values/value-text.ts'
import { fail, type ListValue, type Value } from '../values/value.ts'
import { formatText } from './string-format.ts'

/** The library of text functions. Places in a text are counted in characters. */
export function strings(): Library {
  return {
    overloads: [
      overload('charAt', 'string_char_at_int', 'string.(int) -> string', (value, index) => {
        const chars = Array.from(value)
        const at = Number(index)
        return at < 0 || at > chars.length ? outOfRange(index) : (chars[at] ?? '')
      }),
      overload('indexOf', 'string_index_of_string', 'string.(string) -> int', (value, part) =>
        indexOf(value, part, 0n),
      ),
      overload('indexOf', 'string_index_of_string_int', 'string.(string, int) -> int', (value, part, from) =>
        indexOf(value, part, from),
      ),
      overload('lastIndexOf', 'string_last_index_of_string', 'string.(string) -> int', lastIndexInAll),
      overload(
        'lastIndexOf',
        'string_last_index_of_string_int',
        'string.(string, int) -> int',
        (value, part, from) => lastIndexOf(value, part, from),
      ),
      overload('lowerAscii', 'string_lower_ascii', 'string.() -> string', (value) =>
        value.replace(/[A-Z]+/g, (part) => part.toLowerCase()),
      ),
      overload('upperAscii', 'string_upper_ascii', 'string.() -> string', (value) =>
        value.replace(/[a-z]+/g, (part) => part.toUpperCase()),
      ),
      overload(
        'replace',
        'string_replace_string_string',
        'string.(string, string) -> string',
        (value, old, by) => replace(value, old, by, -1),
      ),
      overload(
        'replace',
        'string_replace_string_string_int',
        'string.(string, string, int) -> string',
        (value, old, by, count) => replace(value, old, by, Number(count)),
      ),
      overload('split', 'string_split_string', 'string.(string) -> list(string)', (value, separator) =>
        split(value, separator, -1),
      ),
      overload(
        'split',
        'string_split_string_int',
        'string.(string, int) -> list(string)',
        (value, separator, count) => split(value, separator, Number(count)),
      ),
      overload('substring', 'string_substring_int', 'string.(int) -> string', substringFrom),
      overload('substring', 'string_substring_int_int', 'string.(int, int) -> string', substring),
      overload('trim', 'string_trim', 'string.() -> string', (value) => trimSpace(value)),
      overload('format', 'string_format', 'string.(list(dyn)) -> string', (value, args) =>
        formatText(value, [...args]),
      ),
      overload('strings.quote', 'strings_quote', '(string) -> string', (value) => quote(value)),
      overload('join', 'list_join', 'list(string).() -> string', (list) => join(list, '')),
      overload('join', 'list_join_string', 'list(string).(string) -> string', (list, separator) =>
        join(list, separator),
      ),
    ],
  }
}

function substringFrom(value: string, start: bigint): Value {
  const chars = Array.from(value)
  const from = Number(start)
  return from < 0 || from > chars.length ? outOfRange(start) : chars.slice(from).join('')
}

function substring(value: string, start: bigint, end: bigint): Value {
  const chars = Array.from(value)
  const [from, to] = [Number(start), Number(end)]
  if (from > to) return fail(`invalid substring range. start: ${from}, end: ${to}`)
  if (from < 0 || from > chars.length) return outOfRange(start)
  return to < 0 || to > chars.length ? outOfRange(end) : chars.slice(from, to).join('')
}

function outOfRange(index: Value): Value {
  return fail(`index out of range: ${valueText(index)}`)
}

function indexOf(value: string, part: string, from: bigint): Value {
  if (part === '') return from
  if (from < 0n) return outOfRange(from)
  const before = Array.from(value).slice(0, Number(from)).join('')
  const index = value.indexOf(part, before.length)
  return index < 0 || Number(from) >= textLength(value) ? -1n : BigInt(textLength(value.slice(0, index)))
}

function lastIndexInAll(value: string, part: string): Value {
  const length = textLength(value)
  if (part === '') return BigInt(length)
  return length < textLength(part) ? -1n : lastIndexOf(value, part, BigInt(length - 1))
}

function lastIndexOf(value: string, part: string, from: bigint): Value {
  if (part === '') return from
  if (from < 0n) return outOfRange(from)
  const chars = Array.from(value)
  if (Number(from) >= chars.length) return -1n
  const index = value.lastIndexOf(part, chars.slice(0, Number(from)).join('').length)
  return index < 0 ? -1n : BigInt(textLength(value.slice(0, index)))
}

/** The longest text that a function makes. Without this limit a short rule could fill the memory. */
const LONGEST = 2 ** 27

function replace(value: string, old: string, by: string, count: number): Value {
  if (count === 0 || old === by) return value
  const pieces = old === '' ? ['', ...Array.from(value), ''] : value.split(old)
  // There is an empty text between characters, and at both ends.
  const parts = old === '' ? (value === '' ? ['', ''] : pieces) : pieces
  const times = count < 0 ? parts.length - 1 : Math.min(count, parts.length - 1)
  if (value.length + times * by.length > LONGEST) return fail('the text is too long')
  const replaced = parts.slice(0, times + 1).join(by)
  const kept = parts.slice(times + 1)
  return kept.length === 0 ? replaced : `${replaced}${old}${kept.join(old)}`
}

function split(value: string, separator: string, count: number): Value {
  if (count === 0) return new ArrayList([])
  const parts = separator === '' ? Array.from(value) : value.split(separator)
  if (count < 0 || parts.length <= count) return new ArrayList(parts)
  return new ArrayList([...parts.slice(0, count - 1), parts.slice(count - 1).join(separator)])
}

/** Trims white space as Unicode defines it. */
function trimSpace(value: string): string {
  const space = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]+'
  return value.replace(new RegExp(`^${space}`), '').replace(new RegExp(`${space}$`), '')
}

const QUOTED: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}

function quote(value: string): string {
  let out = ''
  for (const char of value.toWellFormed()) out += QUOTED[char] ?? char
  return `"${out}"`
}

function join(list: ListValue, separator: string): Value {
  const parts: string[] = []
  let length = 0
  for (const element of list) {
    if (typeof element !== 'string') return fail(`join: invalid input: ${valueText(element)}`)
    length += element.length + separator.length
    if (length > LONGEST) return fail('the text is too long')
    parts.push(element)
  }
  return parts.join(separator)
}
