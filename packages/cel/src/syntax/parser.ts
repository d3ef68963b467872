import type { Expr, MapEntry, StructField } from './ast.ts'
import { tokenize, type Token } from './lexer.ts'
import { expandMacro, MacroError, type Macros, type NodeMaker } from './macros.ts'
import type { Issue } from './source.ts'
import { OPERAND, Stop, TokenReader } from './token-reader.ts'
import { unescapeBytes, unescapeText } from './unescape.ts'
import { Uint, type Value } from '../values/value.ts'

/** The result of parsing a text. The expression is there only where there are no issues. */
export interface Parsed {
  readonly expr: Expr | undefined
  readonly issues: readonly Issue[]
}

/** How many characters an expression may have. */
const LENGTH = 100_000

const RESERVED = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
)
const RELATIONS = new Set(['<', '<=', '>=', '>', '==', '!=', 'in'])
const OPERATORS: Readonly<Record<string, string>> = { in: '@in' }

/** Parses an expression and expands its macros. */
export function parse(text: string, macros: Macros): Parsed {
  const issues: Issue[] = []
  const length = Array.from(text).length
  if (length > LENGTH) {
    const message = `expression code point size exceeds limit: size: ${length}, limit ${LENGTH}`
    return { expr: undefined, issues: [{ at: undefined, message }] }
  }
  const parser = new Parser(text, tokenize(text, issues), macros, issues)
  const expr = parser.parse()
  return { expr: issues.length > 0 ? undefined : expr, issues }
}

class Parser extends TokenReader implements NodeMaker {
  readonly #text: string
  readonly #macros: Macros
  #ids = 0
  /** The other tokens that are possible where an operand is missing. */
  #alternatives: readonly string[] = []

  constructor(text: string, tokens: readonly Token[], macros: Macros, issues: Issue[]) {
    super(tokens, issues)
    this.#text = text
    this.#macros = macros
  }

  parse(): Expr | undefined {
    try {
      const expr = this.#expr()
      if (this.token.kind !== 'end') this.expect('end')
      return expr
    } catch (error) {
      if (error instanceof Stop) return undefined
      throw error
    }
  }

  id(): number {
    return ++this.#ids
  }

  /** Reports a problem, and returns a literal in place of the expression, so that the rest is parsed. */
  #placeholder(at: number, message: string): Expr {
    this.report(at, message)
    return { kind: 'literal', id: this.id(), at, value: null }
  }

  #expr(): Expr {
    return this.nested(() => {
      const condition = this.#or()
      const op = this.accept('?')
      if (!op) return condition
      const yes = this.#or()
      this.expect(':')
      const no = this.#expr()
      return this.#call(op.at, '_?_:_', [condition, yes, no])
    })
  }

  /** Parses an expression where other tokens are possible as well. */
  #exprOr(...alternatives: readonly string[]): Expr {
    if (OPERAND.includes(this.token.kind)) return this.#expr()
    this.#alternatives = alternatives
    return this.#expr()
  }

  #or(): Expr {
    return this.#logical('||', '_||_', () => this.#logical('&&', '_&&_', () => this.#relation()))
  }

  /** All terms of a chain become arguments of one call. */
  #logical(operator: string, name: string, term: () => Expr): Expr {
    const first = term()
    const terms = [first]
    let at: number | undefined
    while (this.token.kind === operator) {
      const op = this.take()
      at ??= op.at
      terms.push(term())
    }
    return at === undefined ? first : this.#call(at, name, terms)
  }

  #relation(): Expr {
    let left = this.#sum()
    for (let length = 1; RELATIONS.has(this.token.kind); length++) {
      this.checkChain(length)
      const op = this.take()
      left = this.#call(op.at, OPERATORS[op.kind] ?? `_${op.kind}_`, [left, this.#sum()])
    }
    return left
  }

  #sum(): Expr {
    return this.#binary(['+', '-'], () => this.#binary(['*', '/', '%'], () => this.#unary()))
  }

  #binary(operators: readonly string[], operand: () => Expr): Expr {
    let left = operand()
    for (let length = 1; operators.includes(this.token.kind); length++) {
      this.checkChain(length)
      const op = this.take()
      left = this.#call(op.at, `_${op.kind}_`, [left, operand()])
    }
    return left
  }

  #unary(): Expr {
    const { kind } = this.token
    if (kind !== '!' && kind !== '-') return this.#member()
    const number = this.peek(1)?.kind
    if (kind === '-' && (number === 'int' || number === 'float')) return this.#member()
    const op = this.take()
    let last = op
    let count = 1
    for (let next = this.accept(kind); next; next = this.accept(kind)) {
      last = next
      count++
    }
    const begins = OPERAND.includes(this.token.kind)
    if (kind === '-' && (!begins || this.token.kind === '!')) this.#reportLoneMinus(last)
    else if (!begins) this.unexpected(this.#operands, true)
    const operand = this.token.kind === '!' ? this.#unary() : this.#member()
    return count % 2 === 0 ? operand : this.#call(op.at, kind === '!' ? '!_' : '-_', [operand])
  }

  /** Reports a minus sign before a token that begins no operand. The token itself is reported after it. */
  #reportLoneMinus(minus: Token): void {
    const { at, kind, text } = this.token
    const end = kind === 'end' ? minus.at + 1 : at + text.length
    const shown = Array.from(this.#text).slice(minus.at, end).join('')
    this.report(at, `Syntax error: no viable alternative at input '${shown}'`)
  }

  /** The tokens that are possible where an operand is missing. */
  get #operands(): string[] {
    return [...OPERAND, ...this.#alternatives]
  }

  #member(): Expr {
    let expr = this.#primary()
    for (let length = 1; ; length++) {
      this.checkChain(length)
      if (this.token.kind === '.') expr = this.#selection(expr)
      else if (this.token.kind === '[') expr = this.#index(expr)
      else return expr
    }
  }

  #selection(operand: Expr): Expr {
    const op = this.take()
    const optional = this.accept('?')
    const name = this.accept('escaped') ?? this.#identifier()
    if (name.kind === 'escaped') {
      return this.#placeholder(name.at, "unsupported syntax: '`'")
    }
    if (optional) {
      const field: Expr = { kind: 'literal', id: this.id(), at: name.at, value: name.text }
      return {
        kind: 'call',
        id: this.id(),
        at: op.at,
        name: '_?._',
        target: undefined,
        args: [operand, field],
      }
    }
    const open = this.accept('(')
    if (!open) return { kind: 'select', id: this.id(), at: op.at, operand, field: name.text, test: false }
    return this.#call(open.at, name.text, this.#arguments(), operand)
  }

  #index(operand: Expr): Expr {
    const op = this.take()
    const optional = this.accept('?')
    const index = optional ? this.#expr() : this.#exprOr('?')
    this.expect(']')
    return this.#call(op.at, optional ? '_[?_]' : '_[_]', [operand, index])
  }

  #identifier(): Token {
    if (this.token.kind === 'identifier') return this.take()
    return this.unexpected(['identifier'])
  }

  #arguments(): Expr[] {
    const args: Expr[] = []
    if (this.accept(')')) return args
    args.push(this.#exprOr(')'))
    while (this.accept(',')) args.push(this.#expr())
    this.expect(')')
    return args
  }

  #primary(): Expr {
    const token = this.token
    switch (token.kind) {
      case '(': {
        this.take()
        const expr = this.#expr()
        this.expect(')')
        return expr
      }
      case '[':
        return this.#list()
      case '{':
        return this.#map()
      case '.':
      case 'identifier':
        return this.#name()
      default:
        return this.#literal()
    }
  }

  #name(): Expr {
    const dot = this.accept('.')
    const name = this.#identifier()
    const message = this.#message(dot, name)
    if (message) return message
    const at = dot?.at ?? name.at
    if (RESERVED.has(name.text)) return this.#placeholder(at, `reserved identifier: ${name.text}`)
    const text = `${dot ? '.' : ''}${name.text}`
    const open = this.accept('(')
    if (open) return this.#call(open.at, text, this.#arguments())
    return { kind: 'ident', id: this.id(), at: name.at, name: text }
  }

  /** A message such as `a.b.C{field: 1}`. Only the brace after the names distinguishes it from a selection. */
  #message(dot: Token | undefined, first: Token): Expr | undefined {
    let length = 0
    let name = `${dot ? '.' : ''}${first.text}`
    while (this.peek(length)?.kind === '.') {
      const next = this.peek(length + 1)
      if (next?.kind !== 'identifier') break
      name += `.${next.text}`
      length += 2
    }
    const open = this.peek(length)
    if (open?.kind !== '{') return undefined
    this.skip(length + 1)
    const fields: StructField[] = []
    while (!this.accept('}')) {
      const optional = this.accept('?') !== undefined
      if (!optional && this.token.kind === 'end') this.expect('}', [',', '?', 'identifier', 'escaped'])
      const field = this.accept('escaped') ?? this.#identifier()
      const colon = this.expect(':')
      if (field.kind === 'escaped') this.#placeholder(field.at, "unsupported syntax: '`'")
      fields.push({ id: this.id(), at: colon.at, name: field.text, value: this.#expr(), optional })
      if (!this.accept(',') && this.token.kind !== '}') this.expect('}', [','])
    }
    return { kind: 'struct', id: this.id(), at: open.at, name, fields }
  }

  #list(): Expr {
    const open = this.take()
    const elements: Expr[] = []
    const optional = new Set<number>()
    if (this.accept(',')) this.expect(']')
    else if (!this.accept(']')) {
      do {
        if (elements.length > 0 && !this.#startsElement()) break
        if (this.accept('?')) optional.add(elements.length)
        elements.push(elements.length === 0 ? this.#exprOr(']', ',', '?') : this.#expr())
      } while (this.accept(','))
      this.#close(']')
    }
    return { kind: 'list', id: this.id(), at: open.at, elements, optional }
  }

  #startsElement(): boolean {
    return this.token.kind === '?' || OPERAND.includes(this.token.kind)
  }

  /** The end of a list or map, behind an element or a comma. */
  #close(bracket: string): void {
    const comma = this.peek(-1)?.kind === ','
    this.expect(bracket, comma ? [] : [','])
  }

  #map(): Expr {
    const open = this.take()
    const entries: MapEntry[] = []
    if (this.accept(',')) this.expect('}')
    else if (!this.accept('}')) {
      do {
        if (entries.length > 0 && !this.#startsElement()) break
        const optional = this.accept('?') !== undefined
        const key = entries.length === 0 ? this.#exprOr('}', ',', '?') : this.#expr()
        const colon = this.expect(':')
        entries.push({ id: this.id(), at: colon.at, key, value: this.#expr(), optional })
      } while (this.accept(','))
      this.#close('}')
    }
    return { kind: 'map', id: this.id(), at: open.at, entries }
  }

  #literal(): Expr {
    const sign = this.accept('-')
    const token = this.token
    if (sign && token.kind !== 'int' && token.kind !== 'float') this.#reportLoneMinus(sign)
    const at = sign?.at ?? token.at
    const make = (value: Value): Expr => ({ kind: 'literal', id: this.id(), at, value })
    switch (token.kind) {
      case 'int': {
        this.take()
        const value = BigInt(token.text) * (sign ? -1n : 1n)
        return BigInt.asIntN(64, value) === value ? make(value) : this.#placeholder(at, 'invalid int literal')
      }
      case 'uint': {
        this.take()
        const value = BigInt(token.text.slice(0, -1))
        if (BigInt.asUintN(64, value) !== value) return this.#placeholder(at, 'invalid uint literal')
        return make(new Uint(value))
      }
      case 'float': {
        this.take()
        const value = Number(token.text)
        if (!Number.isFinite(value)) return this.#placeholder(at, 'invalid double literal')
        return make(sign ? -value : value)
      }
      case 'string':
      case 'bytes': {
        this.take()
        const value = token.kind === 'string' ? unescapeText(token.text) : unescapeBytes(token.text)
        return value instanceof Error ? this.#placeholder(at, value.message) : make(value)
      }
      case 'true':
      case 'false':
        this.take()
        return make(token.kind === 'true')
      case 'null':
        this.take()
        return make(null)
      default:
        return this.unexpected(this.#operands)
    }
  }

  #call(at: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    try {
      const expanded = expandMacro(this.#macros, this, at, name, target, args)
      if (expanded) return expanded
    } catch (error) {
      if (error instanceof MacroError) return this.#placeholder(error.at, error.message)
      throw error
    }
    return { kind: 'call', id: this.id(), at, name, target, args }
  }
}
