import { AppletFailure } from '../context/applet-context.ts'
import { RegularExpression } from './regular-expression.ts'
import { charactersOf } from '../../text/text.ts'

/** Which lines a command is for. */
export type SedAddress =
  | { readonly type: 'line'; readonly line: number }
  | { readonly type: 'last' }
  | { readonly type: 'step'; readonly first: number; readonly step: number }
  | { readonly type: 'more'; readonly lines: number }
  | { readonly type: 'match'; readonly expression: RegularExpression | undefined }

/** A part of the replacement of a match: text, or the number of a group. */
export type Replacement = string | { readonly group: number } | { readonly fold: 'U' | 'L' | 'E' | 'u' | 'l' }

/** One command of a script. */
export interface SedCommand {
  readonly from?: SedAddress | undefined
  readonly to?: SedAddress | undefined
  readonly negated: boolean
  readonly name: string
  /** The text of `a`, `i`, `c`, the label of `b`, `t`, `T` and `:`, the file of `r` and `w`, the sets of `y`. */
  readonly text: string
  readonly substitute?:
    | {
        readonly expression: RegularExpression | undefined
        readonly replacement: readonly Replacement[]
        readonly global: boolean
        readonly number: number
        readonly print: boolean
      }
    | undefined
  readonly table?: ReadonlyMap<string, string> | undefined
  /** The index at which the block that starts here ends. */
  end: number
}

const TAKES_TEXT = 'aic'
const TAKES_LABEL = 'btT:'
const TAKES_FILE = 'rw'
const PLAIN = '=dDgGhHlnNpPqQxz}{'

/** Reads a script of `sed`. */
export function parseSed(script: string, extended: boolean): SedCommand[] {
  return new SedReader(script, extended).commands()
}

class SedReader {
  readonly #text: string
  readonly #extended: boolean
  #at = 0

  constructor(text: string, extended: boolean) {
    this.#text = text
    this.#extended = extended
  }

  commands(): SedCommand[] {
    const commands: SedCommand[] = []
    const open: number[] = []
    for (this.#skip(/[\s;]*/y); this.#at < this.#text.length; this.#skip(/[\s;]*/y)) {
      if (this.#text[this.#at] === '#') {
        this.#skip(/[^\n]*/y)
        continue
      }
      const command = this.#command()
      if (command.name === '{') open.push(commands.length)
      if (command.name === '}') {
        const start = commands[open.pop() ?? -1]
        if (!start) throw new AppletFailure('unexpected }')
        start.end = commands.length
      }
      commands.push(command)
    }
    if (open.length > 0) throw new AppletFailure('unterminated {')
    return commands
  }

  #command(): SedCommand {
    const from = this.#address()
    const to = from && this.#take(',') ? (this.#skip(/\s*/y), this.#address(true)) : undefined
    if (from && !to && this.#text[this.#at - 1] === ',') throw new AppletFailure('no address after comma')
    this.#skip(/\s*/y)
    const negated = this.#take('!')
    this.#skip(/[!\s]*/y)
    const name = this.#text[this.#at++] ?? ''
    const base = { from, to, negated, name, text: '', end: -1 }
    if (name === 's') return { ...base, substitute: this.#substitute() }
    if (name === 'y') return { ...base, table: this.#table() }
    if (TAKES_TEXT.includes(name) && name !== '') return { ...base, text: this.#lines() }
    if (TAKES_LABEL.includes(name) && name !== '') return { ...base, text: this.#skip(/[^\n;}]*/y).trim() }
    if (TAKES_FILE.includes(name) && name !== '') return { ...base, text: this.#skip(/[^\n]*/y).trim() }
    if (name === '' || !PLAIN.includes(name)) throw new AppletFailure(`unsupported command ${name}`)
    if (name === 'q' || name === 'Q') return { ...base, text: this.#skip(/\s*[0-9]*/y).trim() }
    return base
  }

  #address(second = false): SedAddress | undefined {
    const number = this.#skip(/[0-9]+/y)
    if (number !== '') {
      const step = this.#take('~') ? this.#skip(/[0-9]+/y) : undefined
      return step === undefined
        ? { type: 'line', line: Number(number) }
        : { type: 'step', first: Number(number), step: Number(step) }
    }
    if (this.#take('$')) return { type: 'last' }
    if (second && this.#take('+')) return { type: 'more', lines: Number(this.#skip(/[0-9]+/y)) }
    const custom = this.#text[this.#at] === '\\'
    if (!custom && this.#text[this.#at] !== '/') return undefined
    if (custom) this.#at++
    const delimiter = this.#text[this.#at++] ?? ''
    const pattern = this.#until(delimiter, true)
    const ignoreCase = this.#skip(/[IM]*/y).includes('I')
    return { type: 'match', expression: this.#expression(pattern, ignoreCase) }
  }

  #expression(pattern: string, ignoreCase: boolean): RegularExpression | undefined {
    return pattern === ''
      ? undefined
      : new RegularExpression(pattern, { extended: this.#extended, ignoreCase })
  }

  #substitute(): SedCommand['substitute'] {
    const delimiter = this.#text[this.#at++] ?? ''
    if (delimiter === '' || delimiter === '\n' || delimiter === '\\')
      throw new AppletFailure('bad delimiter of s')
    const pattern = this.#until(delimiter, true)
    const replacement = replacementOf(this.#until(delimiter, false))
    const flags = this.#skip(/[gpiIm0-9]*/y)
    const number = Number(/[0-9]+/.exec(flags)?.[0] ?? 1)
    if (/[we]/.test(this.#text[this.#at] ?? ''))
      throw new AppletFailure('the flags w and e of s are not supported')
    return {
      expression: this.#expression(pattern, /i/i.test(flags)),
      replacement,
      global: flags.includes('g'),
      number,
      print: flags.includes('p'),
    }
  }

  #table(): ReadonlyMap<string, string> {
    const delimiter = this.#text[this.#at++] ?? ''
    const [from, to] = [this.#until(delimiter, false), this.#until(delimiter, false)].map((text) =>
      charactersOf(text.replace(/\\([^])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter))),
    )
    if (from?.length !== to?.length) throw new AppletFailure('strings for y are of different lengths')
    return new Map(from?.map((character, index) => [character, to?.[index] ?? '']))
  }

  /** The text up to a delimiter that is not escaped. In an expression, one in brackets does not count. */
  #until(delimiter: string, expression: boolean): string {
    let text = ''
    let bracket = false
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at++] ?? ''
      if (character === '\\') {
        const next = this.#text[this.#at++] ?? ''
        text += next === delimiter && !bracket ? next : `\\${next}`
        continue
      }
      if (character === delimiter && !bracket) return text
      if (expression && character === '[' && !bracket) {
        bracket = true
        text += character + this.#skip(/\^?\]?/y)
        continue
      }
      if (expression && bracket && this.#text.startsWith('[:', this.#at - 1)) {
        text += character + this.#skip(/:[a-z]*:\]/y)
        continue
      }
      if (character === ']') bracket = false
      text += character
    }
    throw new AppletFailure('unterminated address regex or substitution')
  }

  /** The text of `a`, `i` and `c`: the rest of the line, or the lines after a backslash. */
  #lines(): string {
    this.#skip(/[ \t]*/y)
    if (this.#text.startsWith('\\\n', this.#at)) this.#at += 2
    else if (this.#text[this.#at] === '\\') this.#at++
    let text = this.#skip(/[^\n]*/y)
    while (/(?:^|[^\\])\\$/.test(text) && this.#take('\n'))
      text = `${text.slice(0, -1)}\n${this.#skip(/[^\n]*/y)}`
    return `${text.replace(/\\([^])/g, '$1')}\n`
  }

  #take(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at++
    return true
  }

  #skip(expression: RegExp): string {
    expression.lastIndex = this.#at
    const found = expression.exec(this.#text)?.[0] ?? ''
    this.#at += found.length
    return found
  }
}

function replacementOf(text: string): Replacement[] {
  const parts: Replacement[] = []
  for (const match of text.matchAll(/\\([^])|&|[^\\&]+/g)) {
    const escape = match[1]
    if (match[0] === '&') parts.push({ group: 0 })
    else if (escape === undefined) parts.push(match[0])
    else if (/[0-9]/.test(escape)) parts.push({ group: Number(escape) })
    else if (/[ULEul]/.test(escape)) parts.push({ fold: escape as 'U' })
    else parts.push({ n: '\n', t: '\t', r: '\r' }[escape] ?? escape)
  }
  return parts
}
