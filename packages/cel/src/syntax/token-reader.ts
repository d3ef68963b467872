import type { Token } from './lexer.ts'
import type { Issue } from './source.ts'

/** How deep an expression may be nested. */
const DEPTH = 250

/** Thrown to end the parsing where the rest cannot be understood. */
export class Stop extends Error {}

/** Reads tokens one after the other, and reports those that do not fit, in the words of the parser that the API server uses. */
export class TokenReader {
  readonly #tokens: readonly Token[]
  readonly #issues: Issue[]
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[], issues: Issue[]) {
    this.#tokens = tokens
    this.#issues = issues
  }

  protected get token(): Token {
    return this.#tokens[this.#next]!
  }

  /** The token at a distance from the current one; undefined where there is none. */
  protected peek(distance: number): Token | undefined {
    return this.#tokens[this.#next + distance]
  }

  protected skip(count: number): void {
    this.#next += count
  }

  protected take(): Token {
    const { token } = this
    if (token.kind !== 'end') this.#next++
    return token
  }

  protected accept(kind: string): Token | undefined {
    return this.token.kind === kind ? this.take() : undefined
  }

  protected expect(kind: string, others: readonly string[] = []): Token {
    const { token } = this
    const accepted = this.accept(kind)
    if (accepted) return accepted
    if (others.length > 0 || !canFollow(kind, token)) return this.unexpected([kind, ...others])
    // Only this token is missing: the tokens after it are valid.
    this.report(token.at, `Syntax error: missing ${nameOf(kind)} at '${token.text}'`)
    return { kind, text: kind, at: token.at }
  }

  /** Reports the current token, and ends the parsing. It is called extraneous if the next one would fit, or if the caller says so. */
  protected unexpected(expected: readonly string[], isExtraneous = false): never {
    const { token } = this
    if (expected.length === 1 && expected[0] === 'identifier') {
      const message = ['true', 'false', 'null'].includes(token.kind)
        ? `mismatched input '${token.text}' expecting IDENTIFIER`
        : `no viable alternative at input '.${token.kind === 'end' ? '' : token.text}'`
      this.#stop(token.at, `Syntax error: ${message}`)
    }
    const names = expected.toSorted((a, b) => placeOf(a) - placeOf(b)).map((kind) => nameOf(kind))
    const list = names.length === 1 ? names[0]! : `{${names.join(', ')}}`
    const next = this.peek(1)?.kind
    const extraneous = isExtraneous || (next !== undefined && expected.includes(next))
    this.#stop(
      token.at,
      `Syntax error: ${extraneous ? 'extraneous' : 'mismatched'} input '${token.text}' expecting ${list}`,
    )
  }

  /** Reports a problem, and parses on. */
  protected report(at: number, message: string): void {
    this.#issues.push({ at, message })
  }

  /** Parses a part that is nested in another one. */
  protected nested<T>(parse: () => T): T {
    if (++this.#depth > DEPTH) {
      this.#stop(undefined, `expression recursion limit exceeded: ${DEPTH}`)
    }
    const result = parse()
    this.#depth--
    return result
  }

  /** A chain of operators makes a tree as deep as it is long. */
  protected checkChain(length: number): void {
    if (length > DEPTH) this.#stop(undefined, 'max recursion depth exceeded')
  }

  #stop(at: number | undefined, message: string): never {
    this.#issues.push({ at, message })
    throw new Stop()
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

/** The kinds of tokens with which an operand begins. */
export const OPERAND: readonly string[] = ORDER.filter((kind) => !']}),?:'.includes(kind))

/** Whether a token may follow the missing one. */
function canFollow(missing: string, { kind }: Token): boolean {
  if (missing === ')' || missing === ']') return kind === 'end'
  return missing === ':' && OPERAND.includes(kind)
}
