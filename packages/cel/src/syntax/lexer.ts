import type { Issue } from './source.ts'

/** The kind of a token. Operators and brackets are their own kind. */
export type TokenKind =
  | 'identifier'
  | 'escaped'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'end'
  | (string & {})

/** A token with its place in characters. */
export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly at: number
}

const SPACE = /[\t \r\n\f]+|\/\/[^\n]*/y
const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?\x60]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})`
const TEXT = [
  String.raw`[rR]"""[\s\S]*?"""`,
  String.raw`[rR]'''[\s\S]*?'''`,
  `"""(?:${ESCAPE}|[^\\\\])*?"""`,
  `'''(?:${ESCAPE}|[^\\\\])*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  `"(?:${ESCAPE}|[^\\\\"\\n\\r])*"`,
  `'(?:${ESCAPE}|[^\\\\'\\n\\r])*'`,
].join('|')

/** The rules in the order in which they are tried. If two match, the longer match counts, as in any lexer. */
const RULES: readonly (readonly [TokenKind, RegExp])[] = [
  ['bytes', new RegExp(`[bB](?:${TEXT})`, 'y')],
  ['string', new RegExp(TEXT, 'y')],
  ['float', /\d+\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?/y],
  ['uint', /(?:0x[0-9a-fA-F]+|\d+)[uU]/y],
  ['int', /0x[0-9a-fA-F]+|\d+/y],
  ['identifier', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['escaped', /`[A-Za-z0-9_.\-/ ]+`/y],
  ['operator', /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y],
]
const WORDS = new Set(['in', 'true', 'false', 'null'])

/** The tokens of an expression, ended by one of kind `end`; `issues` gets the characters that form no token. */
export function tokenize(text: string, issues: Issue[]): Token[] {
  const tokens: Token[] = []
  const place = placesOf(text)
  for (let index = 0; index < text.length;) {
    const skipped = match(SPACE, text, index)
    if (skipped) {
      index += skipped.length
      continue
    }
    const token = next(text, index)
    if (!token) {
      const char = String.fromCodePoint(text.codePointAt(index) ?? 0)
      issues.push({
        at: place(index),
        message: `Syntax error: token recognition error at: '${rest(text, index, char)}'`,
      })
      index += rest(text, index, char).length
      continue
    }
    tokens.push({ ...token, at: place(index) })
    index += token.text.length
  }
  tokens.push({ kind: 'end', text: '<EOF>', at: place(text.length) })
  return tokens
}

function next(text: string, index: number): Omit<Token, 'at'> | undefined {
  for (const [kind, rule] of RULES) {
    const found = match(rule, text, index)
    if (found === undefined) continue
    if (kind === 'operator' || (kind === 'identifier' && WORDS.has(found)))
      return { kind: found, text: found }
    return { kind, text: found }
  }
  return undefined
}

function match(rule: RegExp, text: string, index: number): string | undefined {
  rule.lastIndex = index
  return rule.exec(text)?.[0]
}

/** The invalid text of a lexical error: a string up to its invalid character, or otherwise one character. */
function rest(text: string, index: number, char: string): string {
  if ('=&|'.includes(char)) return text.slice(index, index + 2)
  if (char !== '"' && char !== "'") return char
  const inner = new RegExp(`(?:${ESCAPE}|[^\\\\${char}\\n\\r])*`, 'y')
  const end = index + 1 + match(inner, text, index + 1)!.length
  return text.slice(index, text[end] === '\\' ? end + 2 : end + 1)
}

/**
 * Offsets in characters from indexes into the text, which must be asked for in rising order: a character beyond 16 bits counts as
 * one, as in Go, but takes two indexes.
 */
function placesOf(text: string): (index: number) => number {
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\ud7ff]*$/.test(text)) return (index) => index
  let counted = 0
  let place = 0
  return (index) => {
    place += Array.from(text.slice(counted, index)).length
    counted = index
    return place
  }
}
