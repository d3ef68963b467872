const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** The value of a string literal, or why it is invalid. */
export function unescapeText(literal: string): string | Error {
  const { body, raw } = unquote(literal)
  if (raw || !body.includes('\\')) return body
  let out = ''
  for (const part of parts(body)) {
    if (typeof part === 'string') {
      out += part
      continue
    }
    if (part > 0x10ffff || (part >= 0xd800 && part <= 0xdfff)) return new Error('invalid unicode code point')
    out += String.fromCodePoint(part)
  }
  return out
}

/** The bytes that a literal such as `b'\xff'` stands for. There `\x` and octal escapes are bytes, not characters. */
export function unescapeBytes(literal: string): Uint8Array | Error {
  const { body, raw } = unquote(literal.slice(1))
  const encoder = new TextEncoder()
  if (raw) return encoder.encode(body)
  const bytes: number[] = []
  for (const part of parts(body)) {
    if (typeof part === 'string') for (const byte of encoder.encode(part)) bytes.push(byte)
    else if (part > 0xff) return new Error('unable to unescape string')
    else bytes.push(part)
  }
  return new Uint8Array(bytes)
}

function unquote(literal: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(literal)
  const text = (raw ? literal.slice(1) : literal).replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  const width = /^("""|''')/.test(text) && text.length >= 6 ? 3 : 1
  return { body: text.slice(width, -width), raw }
}

/** Plain text as it is, and escapes by number as numbers. */
function* parts(body: string): Iterable<string | number> {
  const pattern = /\\(?:([xX])([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([\s\S]))/g
  let last = 0
  for (const found of body.matchAll(pattern)) {
    if (found.index > last) yield body.slice(last, found.index)
    last = found.index + found[0].length
    const hex = found[2] ?? found[3] ?? found[4]
    if (hex !== undefined) yield Number.parseInt(hex, 16)
    else if (found[5] !== undefined) yield Number.parseInt(found[5], 8)
    else yield SIMPLE[found[6]!] ?? found[6]!
  }
  if (last < body.length) yield body.slice(last)
}
