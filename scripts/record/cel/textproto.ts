/** A message in the text form of protocol buffers: each field with all its values. */
export interface Message {
  [field: string]: TextValue[]
}

/** A single value: a text, a number or name as it stands, or a message. Bytes are texts of bytes. */
export type TextValue = string | { readonly word: string } | Message

const TOKEN = /\s+|#[^\n]*|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[[\w./]+\]|[\w.+-]+|[{}<>[\]:,;]/gy

/** Reads a message from its text form. */
export function parseTextproto(text: string): Message {
  const tokens = [...text.matchAll(TOKEN)].map(([token]) => token).filter((token) => !/^(\s|#)/.test(token))
  let next = 0
  const message = (end: string | undefined): Message => {
    const fields: Message = {}
    while (tokens[next] !== end) {
      const name = tokens[next++]
      if (name === undefined) throw new Error(`the text ends before ${end}`)
      if (name === ',' || name === ';') continue
      if (tokens[next] === ':') next++
      ;(fields[name] ??= []).push(...values())
    }
    next++
    return fields
  }
  const values = (): TextValue[] => {
    if (tokens[next] !== '[') return [value()]
    const list: TextValue[] = []
    for (next++; tokens[next] !== ']';) {
      if (tokens[next] === ',') next++
      else list.push(value())
    }
    next++
    return list
  }
  const value = (): TextValue => {
    const token = tokens[next++]!
    if (token === '{') return message('}')
    if (token === '<') return message('>')
    if (!/^["']/.test(token)) return { word: token }
    let joined = unescape(token)
    while (/^["']/.test(tokens[next] ?? '')) joined += unescape(tokens[next++]!)
    return joined
  }
  return message(undefined)
}

const SHORT: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
}

/** Escapes by number are bytes; the whole is decoded as UTF-8 where it can be. */
function unescape(token: string): string {
  const encoder = new TextEncoder()
  const bytes: number[] = []
  const pattern =
    /\\x([0-9a-fA-F]{1,2})|\\([0-7]{1,3})|\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})|\\([\s\S])|[^\\]+/g
  for (const [all, hex, octal, short, long, char] of token.slice(1, -1).matchAll(pattern)) {
    if (hex !== undefined) bytes.push(Number.parseInt(hex, 16))
    else if (octal !== undefined) bytes.push(Number.parseInt(octal, 8))
    else if (short ?? long)
      bytes.push(...encoder.encode(String.fromCodePoint(Number.parseInt((short ?? long)!, 16))))
    else bytes.push(...encoder.encode(char === undefined ? all : (SHORT[char] ?? char)))
  }
  const array = new Uint8Array(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(array)
  } catch {
    return `\u0000bytes:${[...array].join(',')}`
  }
}
