import type { FileStat } from '../files/index.ts'
import type { Interpreter } from '../state/interpreter.ts'
import { isDevice } from '../process/devices.ts'
import { ShellFailure } from '../process/shell-failure.ts'
import type { Builtin } from './builtin.ts'

const BINARY = new Set([
  '=',
  '==',
  '!=',
  '<',
  '>',
  '=~',
  '-eq',
  '-ne',
  '-lt',
  '-le',
  '-gt',
  '-ge',
  '-nt',
  '-ot',
  '-ef',
])
const UNARY = /^-[bcdefghknoprstuwxzLSO]$/

const test: Builtin = async (shell, args) => (evaluate(args, shell) ? 0 : 1)

const bracket: Builtin = async (shell, args) => {
  if (args.at(-1) !== ']') throw failure('missing ]')
  return evaluate(args.slice(0, -1), shell) ? 0 : 1
}

function evaluate(args: readonly string[], shell: Interpreter): boolean {
  if (args.length === 0) return false
  if (args.length > 10_000) throw failure('too many arguments')
  const expression = new TestExpression(args, shell)
  const value = expression.or()
  if (!expression.atEnd) throw failure(`${expression.here}: unknown operand`)
  return value
}

/** The expression of `test`, read from left to right. */
class TestExpression {
  readonly #args: readonly string[]
  readonly #shell: Interpreter
  #at = 0
  #depth = 0

  constructor(args: readonly string[], shell: Interpreter) {
    this.#args = args
    this.#shell = shell
  }

  get atEnd(): boolean {
    return this.#at >= this.#args.length
  }

  get here(): string {
    return this.#args[this.#at] ?? ''
  }

  or(): boolean {
    let value = this.#and()
    while (this.#take('-o')) {
      const right = this.#and()
      value = value || right
    }
    return value
  }

  #and(): boolean {
    let value = this.#not()
    while (this.#take('-a')) {
      const right = this.#not()
      value = value && right
    }
    return value
  }

  #not(): boolean {
    if (++this.#depth > 200) throw failure('the expression is nested too deep')
    // `!` alone, or before a binary operator, is a text like any other.
    const negates =
      this.here === '!' && this.#left > 1 && !(this.#left === 3 && BINARY.has(this.#args[this.#at + 1] ?? ''))
    if (!negates) return this.#primary()
    this.#at++
    return !this.#not()
  }

  get #left(): number {
    return this.#args.length - this.#at
  }

  #primary(): boolean {
    const first = this.#args[this.#at]
    if (first === undefined) throw failure('argument expected')
    const operator = this.#args[this.#at + 1] ?? ''
    if (BINARY.has(operator) && this.#left >= 3) {
      this.#at += 3
      return this.#binary(first, operator, this.#args[this.#at - 1] ?? '')
    }
    if (first === '(' && this.#left > 1) {
      this.#at++
      const value = this.or()
      if (!this.#take(')')) throw failure('closing paren expected')
      return value
    }
    if (UNARY.test(first) && this.#left >= 2) {
      this.#at += 2
      return this.#unary(first.slice(1), operator)
    }
    this.#at++
    return first !== ''
  }

  #take(word: string): boolean {
    if (this.here !== word) return false
    this.#at++
    return true
  }

  #binary(left: string, operator: string, right: string): boolean {
    switch (operator) {
      case '=':
      case '==':
        return left === right
      case '!=':
        return left !== right
      case '<':
        return left < right
      case '>':
        return left > right
      case '-nt':
        return (this.#stat(left)?.modified ?? -1) > (this.#stat(right)?.modified ?? -1)
      case '-ot':
        return (this.#stat(left)?.modified ?? -1) < (this.#stat(right)?.modified ?? -1)
      case '-ef': {
        const identity = this.#stat(left)?.identity
        return identity !== undefined && identity === this.#stat(right)?.identity
      }
      default:
        return compare(number(left), operator, number(right))
    }
  }

  #unary(operator: string, operand: string): boolean {
    switch (operator) {
      case 'n':
        return operand !== ''
      case 'z':
        return operand === ''
      case 't':
        return (
          this.#shell.descriptors.get(Number(operand))?.input?.isTerminal === true ||
          this.#isTerminalOutput(operand)
        )
      case 'o':
        return this.#shell.option(operand)
      case 'L':
      case 'h':
        return this.#stat(operand, false)?.kind === 'link'
      case 'c':
        return isDevice(this.#path(operand))
      case 'e':
        return isDevice(this.#path(operand)) || this.#stat(operand) !== undefined
      case 'f':
        return this.#stat(operand)?.kind === 'file'
      case 'd':
        return this.#stat(operand)?.kind === 'folder'
      case 's':
        return (this.#stat(operand)?.size ?? 0) > 0
      case 'r':
      case 'w':
        return isDevice(this.#path(operand)) || this.#stat(operand) !== undefined
      case 'x': {
        const stat = this.#stat(operand)
        return stat
          ? stat.kind === 'folder' || (stat.mode & 0o111) !== 0
          : this.#shell.find(operand) === operand
      }
      case 'O':
        return this.#stat(operand) !== undefined
      default:
        return false
    }
  }

  #isTerminalOutput(operand: string): boolean {
    return this.#shell.descriptors.get(Number(operand))?.output?.isTerminal === true
  }

  #path(operand: string): string {
    return operand.startsWith('/') ? operand : `${this.#shell.directory}/${operand}`
  }

  #stat(operand: string, follow = true): FileStat | undefined {
    if (operand === '') return undefined
    try {
      const { files } = this.#shell
      return follow ? files.stat(this.#path(operand)) : files.lstat(this.#path(operand))
    } catch {
      return undefined
    }
  }
}

function number(text: string): bigint {
  if (!/^\s*[-+]?[0-9]+\s*$/.test(text)) throw failure(`${text}: bad number`)
  return BigInt(text.trim().replace(/^\+/, ''))
}

function compare(left: bigint, operator: string, right: bigint): boolean {
  switch (operator) {
    case '-eq':
      return left === right
    case '-ne':
      return left !== right
    case '-lt':
      return left < right
    case '-le':
      return left <= right
    case '-gt':
      return left > right
    default:
      return left >= right
  }
}

function failure(message: string): ShellFailure {
  return new ShellFailure(message, { fatal: false })
}

/** `test` and `[`. */
export const testBuiltins: Readonly<Record<string, Builtin>> = { test, '[': bracket }
