import { TextBuilder } from '../text/text-builder.ts'
import { LETTER_ESCAPES } from './escapes.ts'
import type { Scanner } from './scanner.ts'
import type { List, ParameterOperator, ParameterPart, Word, WordPart } from './syntax-tree.ts'

/** The characters that end a word, unless they are quoted. */
const METACHARACTERS = new Set([' ', '\t', '\n', ';', '&', '|', '<', '>', '(', ')', ''])

/** Reads commands inside of words. The parser implements it. */
export interface SubstitutionReader {
  /** The commands up to the closing `)`, which is consumed. */
  listUntilParenthesis(): List
  /** The commands in a separate text. */
  listOf(text: string): List
}

/** Collects the parts of a word, and joins text that stands together. */
class Parts {
  readonly parts: WordPart[] = []

  text(text: string, quoted: boolean): void {
    const last = this.parts.at(-1)
    if (last?.type === 'text' && last.quoted === quoted) {
      this.parts[this.parts.length - 1] = { type: 'text', text: last.text + text, quoted }
    } else this.parts.push({ type: 'text', text, quoted })
  }
}

/**
 * Reads words: quotes, escapes, `$…`, `${…}`, `$(…)`, backticks and `$((…))`. Their meaning is decided when they
 * are expanded; this class only reads their syntax.
 */
export class WordReader {
  readonly #scanner: Scanner
  readonly #substitutions: SubstitutionReader

  constructor(scanner: Scanner, substitutions: SubstitutionReader) {
    this.#scanner = scanner
    this.#substitutions = substitutions
  }

  /** A word from here to the next metacharacter; `undefined` where none starts. */
  word(): Word | undefined {
    const start = this.#scanner.position
    const parts = new Parts()
    while (!METACHARACTERS.has(this.#scanner.peek())) this.#unquoted(parts)
    return this.#scanner.position === start ? undefined : parts.parts
  }

  /** A text in which only `$`, backticks and backslashes are special: the body of a here-document. */
  hereBody(): Word {
    const parts = new Parts()
    while (!this.#scanner.atEnd) {
      const text = this.#scanner.match(/[^\\$`]+/y)
      if (text === undefined) this.#inDoubleQuotes(parts, '`$\\')
      else parts.text(text, true)
    }
    return parts.parts
  }

  #unquoted(parts: Parts): void {
    const scanner = this.#scanner
    scanner.countPiece()
    const character = scanner.peek()
    if (character === "'") this.#singleQuotes(parts)
    else if (character === '"') this.#doubleQuotes(parts)
    else if (character === '\\') {
      scanner.next()
      if (scanner.atEnd) parts.text('\\', true)
      else if (!scanner.take('\n')) parts.text(scanner.next(), true)
    } else if (character === '$' && scanner.peek(1) === "'") this.#ansiQuotes(parts)
    else if (character === '$' || character === '`') this.#dollar(parts, false)
    else parts.text(scanner.match(/[^'"\\$`\s;&|<>()}]+/y) ?? scanner.next(), false)
  }

  #singleQuotes(parts: Parts): void {
    const scanner = this.#scanner
    const end = scanner.text.indexOf("'", scanner.position + 1)
    if (end < 0) throw this.#unterminated()
    parts.text(scanner.text.slice(scanner.position + 1, end), true)
    scanner.position = end + 1
  }

  #doubleQuotes(parts: Parts): void {
    const scanner = this.#scanner
    scanner.next()
    if (scanner.peek() === '"') parts.text('', true)
    while (!scanner.take('"')) {
      if (scanner.atEnd) throw this.#unterminated()
      this.#inDoubleQuotes(parts, '"`$\\')
    }
  }

  /** `escapable` are the characters that a backslash escapes. */
  #inDoubleQuotes(parts: Parts, escapable: string): void {
    const scanner = this.#scanner
    scanner.countPiece()
    const character = scanner.peek()
    if (character === '\\') {
      scanner.next()
      if (scanner.take('\n')) return
      if (scanner.atEnd) parts.text('\\', true)
      else if (escapable.includes(scanner.peek())) parts.text(scanner.next(), true)
      else parts.text(`\\${scanner.next()}`, true)
    } else if (character === '$' || character === '`') this.#dollar(parts, true)
    else parts.text(scanner.match(/[^"\\$`}]+/y) ?? scanner.next(), true)
  }

  /** `$'…'` with the escapes of C. */
  #ansiQuotes(parts: Parts): void {
    const scanner = this.#scanner
    scanner.position += 2
    const body = scanner.match(/(?:[^'\\]|\\[^])*/y) ?? ''
    if (!scanner.take("'")) throw this.#unterminated()
    parts.text(unescapeAnsi(body), true)
  }

  #dollar(parts: Parts, quoted: boolean): void {
    const scanner = this.#scanner
    if (scanner.take('`')) parts.parts.push({ type: 'command', list: this.#backticks(quoted), quoted })
    else if (scanner.startsWith('$((')) this.#arithmetic(parts, quoted)
    else if (scanner.take('$(')) {
      const list = scanner.nested(() => this.#substitutions.listUntilParenthesis())
      parts.parts.push({ type: 'command', list, quoted })
    } else if (scanner.take('${')) parts.parts.push(scanner.nested(() => this.#braces(quoted)))
    else {
      scanner.next()
      const name = scanner.match(/[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-]/y)
      if (name === undefined) parts.text('$', quoted)
      else parts.parts.push({ type: 'parameter', name, quoted })
    }
  }

  #backticks(quoted: boolean): List {
    const scanner = this.#scanner
    const body = new TextBuilder()
    while (!scanner.take('`')) {
      if (scanner.atEnd) throw scanner.incomplete('`')
      const character = scanner.next()
      const escaped = character === '\\' && (quoted ? '`$\\"' : '`$\\').includes(scanner.peek() || ' ')
      body.add(escaped ? scanner.next() : character)
    }
    return scanner.nested(() => this.#substitutions.listOf(body.toString()))
  }

  /** `$((…))`. Where the brackets do not close together, it is a subshell inside of `$(…)`. */
  #arithmetic(parts: Parts, quoted: boolean): void {
    const scanner = this.#scanner
    const start = scanner.position
    scanner.position += 3
    const inner = new Parts()
    for (let open = 0; open > 0 || scanner.peek() !== ')';) {
      if (scanner.atEnd) throw scanner.incomplete('))')
      const character = scanner.peek()
      if (character === '(' || character === ')') {
        open += character === '(' ? 1 : -1
        inner.text(scanner.next(), true)
      } else if (character === '"') scanner.next()
      else if ('$`\\'.includes(character)) this.#inDoubleQuotes(inner, '"`$\\')
      else inner.text(scanner.match(/[^()"$`\\]+/y) ?? scanner.next(), true)
    }
    if (scanner.take('))')) {
      parts.parts.push({ type: 'arithmetic', expression: inner.parts, quoted })
      return
    }
    scanner.position = start + 2
    const list = scanner.nested(() => this.#substitutions.listUntilParenthesis())
    parts.parts.push({ type: 'command', list, quoted })
  }

  #braces(quoted: boolean): ParameterPart {
    const scanner = this.#scanner
    const measured = scanner.match(/#(?:[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-])\}/y)
    if (measured !== undefined) {
      return { type: 'parameter', name: measured.slice(1, -1), operator: 'length', quoted }
    }
    const name = this.#name()
    if (scanner.take('}')) return { type: 'parameter', name, quoted }
    const operator = scanner.match(/:?[-=?+]|%%|%|##|#|\/\/|\/|:/y)
    if (operator === undefined) {
      if (scanner.atEnd) throw scanner.incomplete('}')
      throw scanner.error('syntax error: bad substitution')
    }
    const pattern = /^[%#/]/.test(operator)
    if (operator === ':' || operator.startsWith('/')) {
      const word = this.#braceWord(quoted && !pattern, operator === ':' ? ':' : '/')
      const second = scanner.take(operator === ':' ? ':' : '/') ? this.#braceWord(quoted, '') : undefined
      scanner.take('}')
      const kind = operator === ':' ? 'part' : (operator as ParameterOperator)
      return { type: 'parameter', name, operator: kind, word, second, quoted }
    }
    const word = this.#braceWord(quoted && !pattern, '')
    scanner.take('}')
    return { type: 'parameter', name, operator: operator as ParameterOperator, word, quoted }
  }

  #name(): string {
    const scanner = this.#scanner
    const name = scanner.match(/[A-Za-z_][A-Za-z0-9_]*|[0-9]+|[@*#?$!-]/y)
    if (name !== undefined) return name
    if (scanner.atEnd) throw scanner.incomplete('}')
    throw scanner.error('syntax error: bad substitution')
  }

  /** A word up to the `}` that closes, or to one more character. */
  #braceWord(quoted: boolean, end: string): Word {
    const scanner = this.#scanner
    const parts = new Parts()
    const closing = new Set(['}', end])
    while (scanner.atEnd || !closing.has(scanner.peek())) {
      if (scanner.atEnd) throw scanner.incomplete('}')
      if (quoted && scanner.peek() === '"') this.#doubleQuotes(parts)
      else if (quoted) {
        if (scanner.startsWith('\\}')) scanner.next()
        this.#inDoubleQuotes(parts, '"`$\\')
      } else if (end !== '' && !/['"\\$`]/.test(scanner.peek())) parts.text(scanner.next(), false)
      else if (/[\s;&|<>()]/.test(scanner.peek())) parts.text(scanner.next(), false)
      else this.#unquoted(parts)
    }
    return parts.parts
  }

  #unterminated(): Error {
    return this.#scanner.incomplete('quote')
  }
}

function unescapeAnsi(text: string): string {
  return text.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{1,4}|[^])/g, (_, code: string) => {
    if (code.length > 1 && code.startsWith('x'))
      return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    if (code.length > 1 && code.startsWith('u'))
      return String.fromCharCode(Number.parseInt(code.slice(1), 16))
    if (/^[0-7]/.test(code)) return String.fromCharCode(Number.parseInt(code, 8) & 0xff)
    return LETTER_ESCAPES[code] ?? code
  })
}
