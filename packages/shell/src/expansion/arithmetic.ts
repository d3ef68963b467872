import { ShellFailure } from '../process/shell-failure.ts'

/** Where an expression finds and sets variables. */
export interface ArithmeticScope {
  get(name: string): string | undefined
  set(name: string, value: string): void
}

/** The deepest nesting of brackets, and of variables whose values are expressions. */
const DEEPEST = 100
/** The longest expression: it is parsed and computed without a pause. */
const LONGEST_EXPRESSION = 65_536
/** How many values one expression may use, including those in variables whose values are expressions. */
const MOST_VALUES = 20_000
const ASSIGNMENTS = ['<<=', '>>=', '+=', '-=', '*=', '/=', '%=', '&=', '|=', '^=', '='] as const
/** From the lowest precedence to the highest. */
const BINARY: readonly (readonly string[])[] = [
  ['||'],
  ['&&'],
  ['|'],
  ['^'],
  ['&'],
  ['==', '!='],
  ['<=', '>=', '<', '>'],
  ['<<', '>>'],
  ['+', '-'],
  ['*', '/', '%'],
]
const TOKEN =
  /\s+|0[xX][0-9a-fA-F]+|[0-9]+#[0-9a-zA-Z]+|[0-9]+|[A-Za-z_][A-Za-z0-9_]*|<<=|>>=|\*\*|\+\+|--|&&|\|\||[-+*/%&|^=!<>]=|<<|>>|[-+*/%&|^=!<>~?:(),]/y

/** The value of an arithmetic expression in whole numbers of 64 bits. */
export function evaluateArithmetic(
  expression: string,
  scope: ArithmeticScope,
  work: ArithmeticWork = { values: 0 },
): bigint {
  return evaluate(expression, scope, 0, work)
}

/** How many values all parts of one expression have used together. */
export interface ArithmeticWork {
  values: number
}

function evaluate(expression: string, scope: ArithmeticScope, depth: number, work: ArithmeticWork): bigint {
  if (depth > DEEPEST) throw new ShellFailure('arithmetic: expression recursion loop detected')
  if (expression.length > LONGEST_EXPRESSION) throw new ShellFailure('arithmetic: expression too long')
  if (expression.trim() === '') return 0n
  const reader = new ExpressionReader(tokensOf(expression), scope, depth, work)
  const value = reader.comma()
  if (!reader.atEnd) throw new ShellFailure('arithmetic syntax error')
  return value
}

class ExpressionReader {
  readonly #tokens: readonly string[]
  readonly #scope: ArithmeticScope
  readonly #work: ArithmeticWork
  #depth: number
  #at = 0
  /** Above 0 inside a branch that is not taken, where nothing is assigned and nothing fails. */
  #skipped = 0

  constructor(tokens: readonly string[], scope: ArithmeticScope, depth: number, work: ArithmeticWork) {
    this.#tokens = tokens
    this.#scope = scope
    this.#depth = depth
    this.#work = work
  }

  get atEnd(): boolean {
    return this.#at >= this.#tokens.length
  }

  comma(): bigint {
    let value = this.#assignment()
    while (this.#take(',')) value = this.#assignment()
    return value
  }

  #assignment(): bigint {
    const name = this.#tokens[this.#at] ?? ''
    const operator = this.#tokens[this.#at + 1] ?? ''
    if (!isName(name) || !(ASSIGNMENTS as readonly string[]).includes(operator)) return this.#choice()
    this.#at += 2
    const right = this.#nested(() => this.#assignment())
    return this.#set(
      name,
      operator === '=' ? right : this.#apply(operator.slice(0, -1), this.#value(name), right),
    )
  }

  #choice(): bigint {
    const condition = this.#binary(0)
    if (!this.#take('?')) return condition
    const yes = this.#maybe(condition !== 0n, () => this.#nested(() => this.comma()))
    this.#expect(':')
    const no = this.#maybe(condition === 0n, () => this.#nested(() => this.#assignment()))
    return condition === 0n ? no : yes
  }

  #binary(level: number): bigint {
    const operators = BINARY[level]
    if (!operators) return this.#power()
    let left = this.#binary(level + 1)
    for (let operator = this.#takeOf(operators); operator !== undefined; operator = this.#takeOf(operators)) {
      if (operator === '&&' || operator === '||') {
        const counts = (left !== 0n) === (operator === '&&')
        const right = this.#maybe(counts, () => this.#binary(level + 1))
        left = truth(counts ? right !== 0n : operator === '||')
      } else left = this.#apply(operator, left, this.#binary(level + 1))
    }
    return left
  }

  #power(): bigint {
    const base = this.#unary()
    return this.#take('**')
      ? this.#apply(
          '**',
          base,
          this.#nested(() => this.#power()),
        )
      : base
  }

  #unary(): bigint {
    return this.#nested(() => {
      const operator = this.#takeOf(['++', '--', '+', '-', '!', '~'])
      if (operator === undefined) return this.#primary()
      if ((operator === '++' || operator === '--') && isName(this.#tokens[this.#at] ?? '')) {
        const name = this.#tokens[this.#at++] ?? ''
        return this.#set(name, this.#value(name) + (operator === '++' ? 1n : -1n))
      }
      const value = this.#unary()
      if (operator === '!') return truth(value === 0n)
      if (operator === '~') return ~value
      return operator === '-' ? wrap(-value) : value
    })
  }

  #primary(): bigint {
    if (++this.#work.values > MOST_VALUES) throw new ShellFailure('arithmetic: expression takes too long')
    const token = this.#tokens[this.#at++]
    if (token === '(') {
      const value = this.#nested(() => this.comma())
      this.#expect(')')
      return value
    }
    if (token !== undefined && /^[0-9]/.test(token)) return numberOf(token)
    if (token === undefined || !isName(token)) throw new ShellFailure('arithmetic syntax error')
    const value = this.#value(token)
    if (this.#take('++')) this.#set(token, value + 1n)
    else if (this.#take('--')) this.#set(token, value - 1n)
    return value
  }

  #value(name: string): bigint {
    if (this.#skipped > 0) return 0n
    return evaluate(this.#scope.get(name) ?? '', this.#scope, this.#depth + 1, this.#work)
  }

  #set(name: string, value: bigint): bigint {
    const wrapped = wrap(value)
    if (this.#skipped === 0) this.#scope.set(name, String(wrapped))
    return wrapped
  }

  #apply(operator: string, left: bigint, right: bigint): bigint {
    if ((operator === '/' || operator === '%') && right === 0n) {
      if (this.#skipped > 0) return 0n
      throw new ShellFailure('divide by zero')
    }
    return wrap(apply(operator, left, right))
  }

  #maybe(counts: boolean, read: () => bigint): bigint {
    if (counts) return read()
    this.#skipped++
    try {
      return read()
    } finally {
      this.#skipped--
    }
  }

  #nested(read: () => bigint): bigint {
    if (++this.#depth > DEEPEST) throw new ShellFailure('arithmetic: expression too deep')
    try {
      return read()
    } finally {
      this.#depth--
    }
  }

  #take(token: string): boolean {
    return this.#takeOf([token]) !== undefined
  }

  #takeOf(tokens: readonly string[]): string | undefined {
    const token = this.#tokens[this.#at]
    if (token === undefined || !tokens.includes(token)) return undefined
    this.#at++
    return token
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw new ShellFailure('arithmetic syntax error')
  }
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = []
  for (let at = 0; at < expression.length;) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(expression)?.[0]
    if (token === undefined) throw new ShellFailure('arithmetic syntax error')
    at += token.length
    if (token.trim() !== '') tokens.push(token)
  }
  return tokens
}

function apply(operator: string, left: bigint, right: bigint): bigint {
  switch (operator) {
    case '+':
      return left + right
    case '-':
      return left - right
    case '*':
      return left * right
    case '/':
      return left / right
    case '%':
      return left % right
    case '**':
      return power(left, right)
    case '<<':
      return left << (right & 63n)
    case '>>':
      return left >> (right & 63n)
    case '&':
      return left & right
    case '|':
      return left | right
    case '^':
      return left ^ right
    case '==':
      return truth(left === right)
    case '!=':
      return truth(left !== right)
    case '<=':
      return truth(left <= right)
    case '>=':
      return truth(left >= right)
    case '<':
      return truth(left < right)
    default:
      return truth(left > right)
  }
}

/** Raises to a power by squaring, truncated to 64 bits at each step. */
function power(base: bigint, exponent: bigint): bigint {
  if (exponent < 0n) throw new ShellFailure('exponent less than 0')
  let result = 1n
  for (let square = base, left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = wrap(result * square)
    square = wrap(square * square)
  }
  return result
}

function numberOf(token: string): bigint {
  const based = /^([0-9]+)#([0-9a-z]+)$/i.exec(token)
  if (based) return inBase(based[2] ?? '', BigInt(based[1] ?? 10))
  if (/^0[0-9]+$/.test(token)) return inBase(token, 8n)
  return wrap(BigInt(token))
}

function inBase(digits: string, base: bigint): bigint {
  let value = 0n
  for (const digit of digits.toLowerCase()) {
    const worth = BigInt('0123456789abcdefghijklmnopqrstuvwxyz'.indexOf(digit))
    if (worth >= base || base < 2n || base > 36n) throw new ShellFailure('arithmetic syntax error')
    value = wrap(value * base + worth)
  }
  return value
}

function isName(token: string): boolean {
  return /^[A-Za-z_]/.test(token)
}

function truth(value: boolean): bigint {
  return value ? 1n : 0n
}

function wrap(value: bigint): bigint {
  return BigInt.asIntN(64, value)
}
