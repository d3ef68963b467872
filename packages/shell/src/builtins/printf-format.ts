import { LETTER_ESCAPES } from '../syntax/escapes.ts'
import { byteText, charactersOf, encodeText } from '../text/text.ts'

const DIRECTIVE = /%%|%([-+ 0#]*)(\*|[0-9]+)?(?:\.(\*|[0-9]*))?([a-zA-Z])/y
const WIDEST = 100_000
const MOST_PROBLEMS = 100

const ESCAPES: Readonly<Record<string, string>> = { ...LETTER_ESCAPES, '\\': '\\', '"': '"' }

interface Directive {
  readonly flags: string
  readonly width: number
  readonly precision: number | undefined
}

/** How much formatted output is buffered before it is printed. */
const PIECE = 16_384

/**
 * The output of `printf`, in pieces. The format is used again as long as there are values. Problems are added to
 * `problems`.
 */
export function* format(pattern: string, values: readonly string[], problems: string[]): Generator<string> {
  const formatter = new Formatter(values, problems)
  let text = ''
  do {
    for (const piece of formatter.once(pattern)) {
      text += piece
      if (text.length < PIECE) continue
      yield text
      text = ''
    }
  } while (formatter.left > 0 && formatter.used && !formatter.stopped)
  yield text
}

class Formatter {
  readonly problems: string[]
  readonly #values: string[]
  /** Whether the last use of the format consumed a value. If not, repeating it would never end. */
  used = false
  /** Set by `\c` in a `%b`. */
  stopped = false

  constructor(values: readonly string[], problems: string[]) {
    this.#values = [...values].reverse()
    this.problems = problems
  }

  get left(): number {
    return this.#values.length
  }

  *once(pattern: string): Generator<string> {
    this.used = false
    for (let at = 0; at < pattern.length && !this.stopped;) {
      if (pattern[at] === '\\') {
        const escape = /\\(?:[0-7]{1,3}|x[0-9a-fA-F]{1,2}|[^]|$)/y
        escape.lastIndex = at
        const found = escape.exec(pattern)?.[0] ?? '\\'
        if (found === '\\c') this.stopped = true
        else yield unescape(found)
        at += found.length
      } else if (pattern[at] === '%') {
        DIRECTIVE.lastIndex = at
        const match = DIRECTIVE.exec(pattern)
        if (!match) {
          this.#complain(`${pattern.slice(at)}: invalid format`)
          return
        }
        // The expression is shared with other calls, so that its position is set again after a pause.
        yield match[0] === '%%' ? '%' : this.#directive(match)
        at += match[0].length
      } else {
        const plain = /[^\\%]+/y
        plain.lastIndex = at
        const text = plain.exec(pattern)?.[0] ?? ''
        yield text
        at += text.length
      }
    }
  }

  #complain(problem: string): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(problem)
  }

  #next(): string | undefined {
    this.used = true
    return this.#values.pop()
  }

  #directive(match: RegExpExecArray): string {
    const [, flags = '', width = '', precision, kind = ''] = match
    const wide = width === '*' ? this.#number(this.#next()) : Number(width || 0)
    const exact =
      precision === '*' ? this.#number(this.#next()) : precision === undefined ? undefined : Number(precision)
    const directive = {
      flags: wide < 0 ? `${flags}-` : flags,
      width: Math.min(Math.abs(wide), WIDEST),
      precision: exact === undefined ? undefined : Math.min(exact, WIDEST),
    }
    return this.#value(kind, directive)
  }

  #value(kind: string, directive: Directive): string {
    switch (kind) {
      case 's':
        return padded(cut(this.#next() ?? '', directive.precision), directive)
      case 'b':
        return padded(cut(this.#escaped(this.#next() ?? ''), directive.precision), directive)
      case 'c':
        return padded((this.#next() ?? '').slice(0, 1), directive)
      case 'd':
      case 'i':
        return integer(this.#integer(this.#next()), 10, '', directive)
      case 'u':
        return integer(BigInt.asUintN(64, this.#integer(this.#next())), 10, '', directive)
      case 'o':
        return integer(BigInt.asUintN(64, this.#integer(this.#next())), 8, '0', directive)
      case 'x':
        return integer(BigInt.asUintN(64, this.#integer(this.#next())), 16, '0x', directive)
      case 'X':
        return integer(BigInt.asUintN(64, this.#integer(this.#next())), 16, '0X', directive).toUpperCase()
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return float(kind, this.#number(this.#next()), directive)
      default:
        this.#complain(`%${kind}: invalid format`)
        return ''
    }
  }

  #integer(text = ''): bigint {
    const character = /^["'](.)/su.exec(text)?.[1]
    if (character !== undefined) return BigInt(character.codePointAt(0) ?? 0)
    const match = /^\s*([-+]?)(0[xX][0-9a-fA-F]+|[0-9]+)/.exec(text)
    if (!match || match[0].length !== text.length) this.#complain(`invalid number '${text}'`)
    if (!match) return 0n
    const digits = match[2] ?? '0'
    const value = /^0[0-7]+$/.test(digits)
      ? BigInt(`0o${digits.slice(1)}`)
      : BigInt(/^0[0-9]/.test(digits) ? '0' : digits)
    return BigInt.asIntN(64, match[1] === '-' ? -value : value)
  }

  #number(text: string | undefined): number {
    if (text === undefined || text === '') return 0
    const value = Number(text)
    if (Number.isNaN(value)) {
      this.#complain(`invalid number '${text}'`)
      return Number.parseFloat(text) || 0
    }
    return value
  }

  #escaped(text: string): string {
    const stop = text.indexOf('\\c')
    if (stop >= 0) this.stopped = true
    const shown = stop >= 0 ? text.slice(0, stop) : text
    return shown.replace(/\\(?:0[0-7]{0,3}|[1-7][0-7]{0,2}|x[0-9a-fA-F]{1,2}|[^])/g, unescape)
  }
}

function unescape(escape: string): string {
  const code = escape.slice(1)
  if (/^[0-7]/.test(code)) return byteText(Number.parseInt(code, 8) & 0xff)
  if (/^x./.test(code)) return byteText(Number.parseInt(code.slice(1), 16))
  return ESCAPES[code] ?? escape
}

function integer(value: bigint, base: number, prefix: string, directive: Directive): string {
  const { flags, precision } = directive
  const sign =
    value < 0n
      ? '-'
      : base === 10 && flags.includes('+')
        ? '+'
        : base === 10 && flags.includes(' ')
          ? ' '
          : ''
  const digits = (value < 0n ? -value : value).toString(base).padStart(precision ?? 1, '0')
  const lead = sign + (flags.includes('#') && value !== 0n ? prefix : '')
  const zeros = flags.includes('0') && !flags.includes('-') && precision === undefined
  if (zeros) return lead + digits.padStart(directive.width - lead.length, '0')
  return padded(lead + digits, directive)
}

function float(kind: string, value: number, directive: Directive): string {
  const { flags, width } = directive
  const sign =
    value < 0 || Object.is(value, -0) ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : ''
  const digits = floatDigits(kind, Math.abs(value), Math.min(directive.precision ?? 6, 100))
  if (flags.includes('0') && !flags.includes('-')) return sign + digits.padStart(width - sign.length, '0')
  return padded(sign + digits, directive)
}

function floatDigits(kind: string, value: number, precision: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'nan' : 'inf'
  const lower = kind.toLowerCase()
  if (lower === 'f') return value.toFixed(precision)
  if (lower === 'e') return exponent(value.toExponential(precision), kind)
  const digits = Math.max(1, precision)
  const power = value === 0 ? 0 : Math.floor(Math.log10(value))
  if (power < -4 || power >= digits) {
    return exponent(value.toExponential(digits - 1).replace(/\.?0+(?=e)/, ''), kind)
  }
  const fixed = value.toFixed(Math.max(0, digits - 1 - power))
  return fixed.includes('.') ? fixed.replace(/\.?0+$/, '') : fixed
}

/** Exponents have at least two digits, as in C. */
function exponent(text: string, kind: string): string {
  const shown = text.replace(/e([-+])([0-9])$/, 'e$10$2')
  return /[A-Z]/.test(kind) ? shown.toUpperCase() : shown
}

function cut(text: string, precision: number | undefined): string {
  return precision === undefined ? text : charactersOf(text).slice(0, precision).join('')
}

function padded(text: string, { flags, width }: Directive): string {
  const missing = width - encodeText(text).length
  if (missing <= 0) return text
  return flags.includes('-') ? text + ' '.repeat(missing) : ' '.repeat(missing) + text
}
