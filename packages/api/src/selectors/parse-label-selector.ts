import { labelKeyProblems } from './label-syntax.ts'
import {
  inKeyOrder,
  labelRequirement,
  type LabelOperator,
  type LabelRequirement,
  type LabelSelector,
} from './label-selector.ts'
import { SelectorError } from './selector-error.ts'

/**
 * Reads a selector such as `a=b,c!=d,e in (f,g),h notin (i),j,!k`. The empty text selects everything.
 * Throws a {@link SelectorError} that says what was found where, in an API server's words.
 */
export function parseLabelSelector(text: string): LabelSelector {
  const tokens = new Tokens(text)
  const requirements: LabelRequirement[] = []
  let first = true
  while (first || !tokens.isEnd()) {
    if (!tokens.isWord() && !tokens.is('!')) {
      if (first && tokens.isEnd()) break
      throw invalid(
        first
          ? `found '${tokens.peek()}', expected: !, identifier, or 'end of string'`
          : `found '${tokens.peek()}', expected: identifier after ','`,
      )
    }
    first = false
    requirements.push(parseRequirement(tokens))
    if (tokens.isEnd()) break
    const separator = tokens.next()
    if (separator !== ',') throw invalid(`found '${separator}', expected: ',' or 'end of string'`)
    if (tokens.isEnd()) throw invalid("found '', expected: identifier after ','")
  }
  return { requirements: inKeyOrder(requirements) }
}

function parseRequirement(tokens: Tokens): LabelRequirement {
  try {
    const absent = tokens.is('!')
    if (absent) tokens.next()
    if (!tokens.isWord()) throw invalid(`found '${tokens.peek()}', expected: identifier`)
    const key = tokens.next()
    const problems = labelKeyProblems(key)
    if (problems.length > 0) {
      throw invalid(`<nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`)
    }
    if (absent) return labelRequirement(key, '!', [])
    if (tokens.isEnd() || tokens.is(',')) return labelRequirement(key, 'exists', [])
    const operator = tokens.next()
    if (!isBinary(operator)) {
      throw invalid(`found '${operator}', expected: in, notin, =, ==, !=, gt, lt`)
    }
    const values = operator === 'in' || operator === 'notin' ? parseValues(tokens) : [parseValue(tokens)]
    return labelRequirement(key, operator, values)
  } catch (error) {
    if (error instanceof SelectorError) throw invalid(`unable to parse requirement: ${error.message}`)
    throw error
  }
}

const BINARY: ReadonlySet<string> = new Set(['=', '==', '!=', 'in', 'notin', '>', '<'])

function isBinary(token: string): token is LabelOperator {
  return BINARY.has(token)
}

/** A value that may be left out: `a=` and `a=,b` mean the empty one. */
function parseValue(tokens: Tokens): string {
  if (tokens.isEnd() || tokens.is(',')) return ''
  if (!tokens.isWord()) throw invalid(`found '${tokens.peek()}', expected: identifier`)
  return tokens.next()
}

/** The values of a set, in order and each once. Between commas a value may be empty. */
function parseValues(tokens: Tokens): string[] {
  const open = tokens.next()
  if (open !== '(') throw invalid(`found '${open}' expected: '('`)
  if (!tokens.isWord() && !tokens.is(',') && !tokens.is(')')) {
    throw invalid(`found '${tokens.peek()}', expected: ',', ')' or identifier`)
  }
  const values = new Set<string>()
  for (;;) {
    if (tokens.is(',') || tokens.is(')')) {
      values.add('')
    } else if (tokens.isWord()) {
      values.add(tokens.next())
      if (!tokens.is(',') && !tokens.is(')')) throw invalid(`found '${tokens.peek()}', expected: ',' or ')'`)
    } else {
      throw invalid(`found '${tokens.peek()}', expected: ',', or identifier`)
    }
    if (tokens.next() === ')') return [...values].sort()
  }
}

/** The characters that no key and no value begins with. */
const SYMBOLS: ReadonlySet<string> = new Set('=!(),<>')

/** The text cut into operators and words; past the end all tokens are empty. */
class Tokens {
  readonly #tokens: string[]
  #position = 0

  constructor(text: string) {
    this.#tokens = text.match(/==|!=|[=!(),<>]|[^ \t\r\n=!(),<>]+/g) ?? []
  }

  peek(): string {
    return this.#tokens[this.#position] ?? ''
  }

  next(): string {
    const token = this.peek()
    this.#position++
    return token
  }

  is(token: string): boolean {
    return this.peek() === token
  }

  isEnd(): boolean {
    return this.#position >= this.#tokens.length
  }

  /** Whether a key or a value comes next; `in` and `notin` can be either. */
  isWord(): boolean {
    return !this.isEnd() && !SYMBOLS.has(this.peek().charAt(0))
  }
}

function invalid(message: string): SelectorError {
  return new SelectorError('LABEL_SELECTOR_INVALID', message)
}
