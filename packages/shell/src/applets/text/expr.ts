import { AppletFailure, type Applet } from '../context/applet-context.ts'
import { RegularExpression } from './regular-expression.ts'
import { charactersOf } from '../../text/text.ts'

const TROUBLE = 2
const LEVELS: readonly (readonly string[])[] = [
  ['|'],
  ['&'],
  ['=', '==', '!=', '<', '<=', '>', '>='],
  ['+', '-'],
  ['*', '/', '%'],
  [':'],
]

const expr: Applet = async (context) => {
  if (context.args.length === 0) throw new AppletFailure('too few arguments', TROUBLE)
  // Characters are counted and searched without a pause.
  await context.step(1 + (context.args.reduce((sum, arg) => sum + arg.length, 0) >> 6))
  const reader = new ExprReader(context.args[0] === '--' ? context.args.slice(1) : context.args)
  const value = reader.read()
  await context.print(`${value}\n`)
  return isTrue(value) ? 0 : 1
}

class ExprReader {
  readonly #args: readonly string[]
  #at = 0
  #depth = 0

  constructor(args: readonly string[]) {
    this.#args = args
  }

  read(): string {
    const value = this.#level(0)
    if (this.#at < this.#args.length) throw syntaxError()
    return value
  }

  #level(level: number): string {
    const operators = LEVELS[level]
    if (!operators) return this.#primary()
    let left = this.#level(level + 1)
    for (;;) {
      const operator = this.#args[this.#at] ?? ''
      if (!operators.includes(operator)) return left
      this.#at++
      left = apply(left, operator, this.#level(level + 1))
    }
  }

  #primary(): string {
    const word = this.#args[this.#at++]
    if (word === undefined) throw syntaxError()
    if (++this.#depth > 200) throw new AppletFailure('the expression is nested too deep', TROUBLE)
    if (word === '(') {
      const value = this.#level(0)
      if (this.#args[this.#at++] !== ')') throw syntaxError()
      return value
    }
    if (word === 'length' && this.#at < this.#args.length) return String(charactersOf(this.#primary()).length)
    if (word === 'match' && this.#at + 1 < this.#args.length) return match(this.#primary(), this.#primary())
    if (word === 'index' && this.#at + 1 < this.#args.length) {
      const [text, set] = [this.#primary(), this.#primary()]
      const wanted = new Set(charactersOf(set))
      return String(charactersOf(text).findIndex((character) => wanted.has(character)) + 1)
    }
    if (word === 'substr' && this.#at + 2 < this.#args.length) {
      const [text, start, length] = [this.#primary(), Number(this.#primary()), Number(this.#primary())]
      return start > 0 && length > 0
        ? charactersOf(text)
            .slice(start - 1, start - 1 + length)
            .join('')
        : ''
    }
    return word
  }
}

function apply(left: string, operator: string, right: string): string {
  switch (operator) {
    case '|':
      return isTrue(left) ? left : isTrue(right) ? right : '0'
    case '&':
      return isTrue(left) && isTrue(right) ? left : '0'
    case ':':
      return match(left, right)
    case '+':
    case '-':
    case '*':
    case '/':
    case '%':
      return calculate(number(left), operator, number(right))
    default:
      return compare(left, operator, right) ? '1' : '0'
  }
}

function calculate(left: bigint, operator: string, right: bigint): string {
  if ((operator === '/' || operator === '%') && right === 0n)
    throw new AppletFailure('division by zero', TROUBLE)
  if (operator === '+') return String(BigInt.asIntN(64, left + right))
  if (operator === '-') return String(BigInt.asIntN(64, left - right))
  if (operator === '*') return String(BigInt.asIntN(64, left * right))
  return String(operator === '/' ? left / right : left % right)
}

function compare(left: string, operator: string, right: string): boolean {
  const numbers = /^-?[0-9]+$/.test(left) && /^-?[0-9]+$/.test(right)
  const order = numbers ? Number(BigInt(left) - BigInt(right)) : left < right ? -1 : left > right ? 1 : 0
  switch (operator) {
    case '=':
    case '==':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    default:
      return order >= 0
  }
}

/** The first group of a match at the start, or the length of the match. */
function match(text: string, pattern: string): string {
  const expression = new RegularExpression(pattern.replace(/^\^?/, '^'), { extended: false })
  const found = expression.find(text, 0)
  if (pattern.includes('\\(')) return found?.groups[1] ?? ''
  return String(found ? charactersOf(text.slice(found.start, found.end)).length : 0)
}

function number(text: string): bigint {
  if (!/^-?[0-9]+$/.test(text)) throw new AppletFailure('non-numeric argument', TROUBLE)
  return BigInt(text)
}

function isTrue(text: string): boolean {
  return text !== '' && !/^-?0+$/.test(text)
}

function syntaxError(): AppletFailure {
  return new AppletFailure('syntax error', TROUBLE)
}

/** The applet `expr`. */
export const exprApplets: Readonly<Record<string, Applet>> = { expr }
