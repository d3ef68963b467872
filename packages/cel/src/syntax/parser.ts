import type { Expr, MapEntry, StructField } from './ast.ts'
import { tokenize, type Token } from './lexer.ts'
import { expandMacro, MacroError, type Macros, type NodeMaker } from './macros.ts'
import type { Issue } from './source.ts'
import { unescapeBytes, unescapeText } from './unescape.ts'
import { Uint, type Value } from '../values/value.ts'

/** What a parser made of a text. The expression is there only where there are no issues. */
export interface Parsed {
  readonly expr: Expr | undefined
  readonly issues: readonly Issue[]
}

/** How deep an expression may be nested. */
const DEPTH = 250
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
  const parser = new Parser(tokenize(text, issues), macros, issues)
  const expr = parser.parse()
  return { expr: issues.length > 0 ? undefined : expr, issues }
}

/** Ends the parsing where it makes no sense to go on. */
class Stop extends Error {}

class Parser implements NodeMaker {
  readonly #tokens: readonly Token[]
  readonly #macros: Macros
  readonly #issues: Issue[]
  #next = 0
  #ids = 0
  #depth = 0
  /** What else could stand where an operand is missing. */
  #alternatives: readonly string[] = []

  constructor(tokens: readonly Token[], macros: Macros, issues: Issue[]) {
    this.#tokens = tokens
    this.#macros = macros
    this.#issues = issues
  }

  parse(): Expr | undefined {
    try {
      const expr = this.#expr()
      if (this.#token.kind !== 'end') this.#expect('end')
      return expr
    } catch (error) {
      if (error instanceof Stop) return undefined
      throw error
    }
  }

  id(): number {
    return ++this.#ids
  }

  get #token(): Token {
    return this.#tokens[this.#next]!
  }

  #take(): Token {
    const token = this.#token
    if (token.kind !== 'end') this.#next++
    return token
  }

  #accept(kind: string): Token | undefined {
    return this.#token.kind === kind ? this.#take() : undefined
  }

  #expect(kind: string, others: readonly string[] = []): Token {
    const token = this.#token
    const accepted = this.#accept(kind)
    if (accepted) return accepted
    if (others.length > 0 || !canFollow(kind, token)) return this.#unexpected([kind, ...others])
    // Only the operand is missing: the tokens after it are valid.
    this.#report(token.at, `Syntax error: missing ${nameOf(kind)} at '${token.text}'`)
    return { kind, text: kind, at: token.at }
  }

  /** Reports the current token, in the words of the parser that the API server uses. */
  #unexpected(expected: readonly string[]): never {
    const token = this.#token
    if (expected.length === 1 && expected[0] === 'identifier') {
      const message = ['true', 'false', 'null'].includes(token.kind)
        ? `mismatched input '${token.text}' expecting IDENTIFIER`
        : `no viable alternative at input '.${token.kind === 'end' ? '' : token.text}'`
      this.#stop(token.at, `Syntax error: ${message}`)
    }
    const names = expected.toSorted((a, b) => placeOf(a) - placeOf(b)).map((kind) => nameOf(kind))
    const list = names.length === 1 ? names[0]! : `{${names.join(', ')}}`
    const next = this.#tokens[this.#next + 1]?.kind
    const extraneous = next !== undefined && expected.includes(next)
    this.#stop(
      token.at,
      `Syntax error: ${extraneous ? 'extraneous' : 'mismatched'} input '${token.text}' expecting ${list}`,
    )
  }

  #stop(at: number | undefined, message: string): never {
    this.#issues.push({ at, message })
    throw new Stop()
  }

  /** Reports something that does not keep the rest from being parsed. */
  #report(at: number, message: string): Expr {
    this.#issues.push({ at, message })
    return { kind: 'literal', id: this.id(), at, value: null }
  }

  #nested<T>(parse: () => T): T {
    if (++this.#depth > DEPTH) {
      this.#stop(undefined, `expression recursion limit exceeded: ${DEPTH}`)
    }
    const result = parse()
    this.#depth--
    return result
  }

  /** A chain of operators makes a tree as deep as it is long. */
  #checkChain(length: number): void {
    if (length > DEPTH) this.#stop(undefined, 'max recursion depth exceeded')
  }

  #expr(): Expr {
    return this.#nested(() => {
      const condition = this.#or()
      const op = this.#accept('?')
      if (!op) return condition
      const yes = this.#or()
      this.#expect(':')
      const no = this.#expr()
      return this.#call(op.at, '_?_:_', [condition, yes, no])
    })
  }

  /** An expression where something else could stand as well. */
  #exprOr(...alternatives: readonly string[]): Expr {
    if (OPERAND.includes(this.#token.kind)) return this.#expr()
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
    while (this.#token.kind === operator) {
      const op = this.#take()
      at ??= op.at
      terms.push(term())
    }
    return at === undefined ? first : this.#call(at, name, terms)
  }

  #relation(): Expr {
    let left = this.#sum()
    for (let length = 1; RELATIONS.has(this.#token.kind); length++) {
      this.#checkChain(length)
      const op = this.#take()
      left = this.#call(op.at, OPERATORS[op.kind] ?? `_${op.kind}_`, [left, this.#sum()])
    }
    return left
  }

  #sum(): Expr {
    return this.#binary(['+', '-'], () => this.#binary(['*', '/', '%'], () => this.#unary()))
  }

  #binary(operators: readonly string[], operand: () => Expr): Expr {
    let left = operand()
    for (let length = 1; operators.includes(this.#token.kind); length++) {
      this.#checkChain(length)
      const op = this.#take()
      left = this.#call(op.at, `_${op.kind}_`, [left, operand()])
    }
    return left
  }

  #unary(): Expr {
    const { kind } = this.#token
    if (kind !== '!' && kind !== '-') return this.#member()
    const number = this.#tokens[this.#next + 1]?.kind
    if (kind === '-' && (number === 'int' || number === 'float')) return this.#member()
    const op = this.#take()
    let count = 1
    while (this.#accept(kind)) count++
    const operand = this.#member()
    return count % 2 === 0 ? operand : this.#call(op.at, kind === '!' ? '!_' : '-_', [operand])
  }

  #member(): Expr {
    let expr = this.#primary()
    for (let length = 1; ; length++) {
      this.#checkChain(length)
      if (this.#token.kind === '.') expr = this.#selection(expr)
      else if (this.#token.kind === '[') expr = this.#index(expr)
      else return expr
    }
  }

  #selection(operand: Expr): Expr {
    const op = this.#take()
    const optional = this.#accept('?')
    const name = this.#accept('escaped') ?? this.#identifier()
    if (name.kind === 'escaped') {
      return this.#report(name.at, "unsupported syntax: '`'")
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
    const open = this.#accept('(')
    if (!open) return { kind: 'select', id: this.id(), at: op.at, operand, field: name.text, test: false }
    return this.#call(open.at, name.text, this.#arguments(), operand)
  }

  #index(operand: Expr): Expr {
    const op = this.#take()
    const optional = this.#accept('?')
    const index = optional ? this.#expr() : this.#exprOr('?')
    this.#expect(']')
    return this.#call(op.at, optional ? '_[?_]' : '_[_]', [operand, index])
  }

  #identifier(): Token {
    if (this.#token.kind === 'identifier') return this.#take()
    return this.#unexpected(['identifier'])
  }

  #arguments(): Expr[] {
    const args: Expr[] = []
    if (this.#accept(')')) return args
    args.push(this.#exprOr(')'))
    while (this.#accept(',')) args.push(this.#expr())
    this.#expect(')')
    return args
  }

  #primary(): Expr {
    const token = this.#token
    switch (token.kind) {
      case '(': {
        this.#take()
        const expr = this.#expr()
        this.#expect(')')
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
    const dot = this.#accept('.')
    const name = this.#identifier()
    const message = this.#message(dot, name)
    if (message) return message
    const at = dot?.at ?? name.at
    if (RESERVED.has(name.text)) return this.#report(at, `reserved identifier: ${name.text}`)
    const text = `${dot ? '.' : ''}${name.text}`
    const open = this.#accept('(')
    if (open) return this.#call(open.at, text, this.#arguments())
    return { kind: 'ident', id: this.id(), at: name.at, name: text }
  }

  /** A message such as `a.b.C{field: 1}`: only the brace after the names tells. */
  #message(dot: Token | undefined, first: Token): Expr | undefined {
    let end = this.#next
    let name = `${dot ? '.' : ''}${first.text}`
    while (this.#tokens[end]?.kind === '.' && this.#tokens[end + 1]?.kind === 'identifier') {
      name += `.${this.#tokens[end + 1]!.text}`
      end += 2
    }
    const open = this.#tokens[end]
    if (open?.kind !== '{') return undefined
    this.#next = end + 1
    const fields: StructField[] = []
    while (!this.#accept('}')) {
      const optional = this.#accept('?') !== undefined
      if (!optional && this.#token.kind === 'end') this.#expect('}', [',', '?', 'identifier', 'escaped'])
      const field = this.#accept('escaped') ?? this.#identifier()
      const colon = this.#expect(':')
      if (field.kind === 'escaped') this.#report(field.at, "unsupported syntax: '`'")
      fields.push({ id: this.id(), at: colon.at, name: field.text, value: this.#expr(), optional })
      if (!this.#accept(',') && this.#token.kind !== '}') this.#expect('}', [','])
    }
    return { kind: 'struct', id: this.id(), at: open.at, name, fields }
  }

  #list(): Expr {
    const open = this.#take()
    const elements: Expr[] = []
    const optional = new Set<number>()
    if (this.#accept(',')) this.#expect(']')
    else if (!this.#accept(']')) {
      do {
        if (elements.length > 0 && !this.#startsElement()) break
        if (this.#accept('?')) optional.add(elements.length)
        elements.push(elements.length === 0 ? this.#exprOr(']', ',', '?') : this.#expr())
      } while (this.#accept(','))
      this.#close(']')
    }
    return { kind: 'list', id: this.id(), at: open.at, elements, optional }
  }

  #startsElement(): boolean {
    return this.#token.kind === '?' || OPERAND.includes(this.#token.kind)
  }

  /** The end of a list or map, behind an element or a comma. */
  #close(bracket: string): void {
    const comma = this.#tokens[this.#next - 1]?.kind === ','
    this.#expect(bracket, comma ? [] : [','])
  }

  #map(): Expr {
    const open = this.#take()
    const entries: MapEntry[] = []
    if (this.#accept(',')) this.#expect('}')
    else if (!this.#accept('}')) {
      do {
        if (entries.length > 0 && !this.#startsElement()) break
        const optional = this.#accept('?') !== undefined
        const key = entries.length === 0 ? this.#exprOr('}', ',', '?') : this.#expr()
        const colon = this.#expect(':')
        entries.push({ id: this.id(), at: colon.at, key, value: this.#expr(), optional })
      } while (this.#accept(','))
      this.#close('}')
    }
    return { kind: 'map', id: this.id(), at: open.at, entries }
  }

  #literal(): Expr {
    const sign = this.#accept('-')
    const token = this.#token
    const at = sign?.at ?? token.at
    const make = (value: Value): Expr => ({ kind: 'literal', id: this.id(), at, value })
    switch (token.kind) {
      case 'int': {
        this.#take()
        const value = BigInt(token.text) * (sign ? -1n : 1n)
        return BigInt.asIntN(64, value) === value ? make(value) : this.#report(at, 'invalid int literal')
      }
      case 'uint': {
        this.#take()
        const value = BigInt(token.text.slice(0, -1))
        if (BigInt.asUintN(64, value) !== value) return this.#report(at, 'invalid uint literal')
        return make(new Uint(value))
      }
      case 'float': {
        this.#take()
        const value = Number(token.text)
        if (!Number.isFinite(value)) return this.#report(at, 'invalid double literal')
        return make(sign ? -value : value)
      }
      case 'string':
      case 'bytes': {
        this.#take()
        const value = token.kind === 'string' ? unescapeText(token.text) : unescapeBytes(token.text)
        return value instanceof Error ? this.#report(at, value.message) : make(value)
      }
      case 'true':
      case 'false':
        this.#take()
        return make(token.kind === 'true')
      case 'null':
        this.#take()
        return make(null)
      default:
        return this.#unexpected([...OPERAND, ...this.#alternatives])
    }
  }

  #call(at: number, name: string, args: readonly Expr[], target?: Expr): Expr {
    try {
      const expanded = expandMacro(this.#macros, this, at, name, target, args)
      if (expanded) return expanded
    } catch (error) {
      if (error instanceof MacroError) return this.#report(error.at, error.message)
      throw error
    }
    return { kind: 'call', id: this.id(), at, name, target, args }
  }
}

const NAMES: Readonly<Record<string, string>> = {
  end: '<EOF>',
  escaped: 'ESC_IDENTIFIER',
  identifier: 'IDENTIFIER',
  int: 'NUM_INT',
  uint: 'NUM_UINT',
  float: 'NUM_FLOAT',
  string: 'STRING',
  bytes: 'BYTES',
}

function nameOf(kind: string): string {
  return NAMES[kind] ?? `'${kind}'`
}

/** The order in which messages name what was expected. */
const ORDER = '[ ] { } ( ) . , - ! ? : true false null float int uint string bytes identifier'.split(' ')

/** Others come last. */
function placeOf(kind: string): number {
  const place = ORDER.indexOf(kind)
  return place < 0 ? ORDER.length : place
}

const OPERAND: readonly string[] = ORDER.filter((kind) => !']}),?:'.includes(kind))

/** Whether a token may stand where a missing one would end. */
function canFollow(missing: string, { kind }: Token): boolean {
  if (missing === ')' || missing === ']') return kind === 'end'
  return missing === ':' && OPERAND.includes(kind)
}
