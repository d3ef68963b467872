import { RE2JS } from 're2js'
import { AppletFailure } from '../context/applet-context.ts'

/** The longest expression. Its compiled form grows with it. */
const LONGEST_EXPRESSION = 4_096
/** The most work of one match, which runs without a pause: the length of the text times that of the program. */
const MOST_WORK = 2_000_000
/** How much of that work counts as one step. */
const WORK_OF_STEP = 256

/** A match with its groups; a group that did not take part is `undefined`. */
export interface Match {
  readonly start: number
  readonly end: number
  readonly groups: readonly (string | undefined)[]
}

/**
 * A POSIX regular expression, basic or extended. Matching takes time in proportion to the text, so that no
 * expression can block the process. For this reason there are no back-references.
 */
export class RegularExpression {
  readonly #compiled: RE2JS

  constructor(
    pattern: string,
    options: { readonly extended: boolean; readonly ignoreCase?: boolean | undefined },
  ) {
    if (pattern.length > LONGEST_EXPRESSION) throw new AppletFailure('the regular expression is too long')
    const translated = options.extended ? fromExtended(pattern) : fromBasic(pattern)
    const flags = RE2JS.LONGEST_MATCH | RE2JS.DOTALL | (options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
    try {
      this.#compiled = RE2JS.compile(translated, flags)
    } catch {
      throw new AppletFailure(`bad regex '${pattern}'`)
    }
  }

  /** The most steps that matching a text of this length takes. */
  cost(length: number): number {
    return 1 + Math.floor((length * this.#compiled.programSize()) / WORK_OF_STEP)
  }

  matches(text: string): boolean {
    return this.find(text, 0) !== undefined
  }

  /** The first match from a position on. */
  find(text: string, from: number): Match | undefined {
    if ((text.length - from) * this.#compiled.programSize() > MOST_WORK) {
      throw new AppletFailure('a line is too long for the regular expression')
    }
    const matcher = this.#compiled.matcher(text)
    if (from > text.length || !matcher.find(from)) return undefined
    const groups: (string | undefined)[] = []
    for (let group = 0; group <= matcher.groupCount(); group++) groups.push(matcher.group(group) ?? undefined)
    return { start: matcher.start(), end: matcher.end(), groups }
  }
}

/** Escapes a text, so that it matches only itself. */
export function literalExpression(text: string): string {
  return text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}

const WORD_ENDS: Readonly<Record<string, string>> = {
  '<': '\\b',
  '>': '\\b',
  b: '\\b',
  B: '\\B',
  w: '\\w',
  W: '\\W',
  s: '\\s',
  S: '\\S',
}

/** Basic: brackets, braces, `+`, `?` and `|` mean something only after a backslash. */
function fromBasic(pattern: string): string {
  let result = ''
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at] ?? ''
    if (character === '[') {
      const bracket = bracketAt(pattern, at)
      result += bracket
      at += rawLength(pattern, at)
      continue
    }
    if (character === '\\') {
      const next = pattern[at + 1] ?? ''
      at += 2
      if (/[1-9]/.test(next)) throw new AppletFailure('back-references in expressions are not supported')
      if ('(){}|+?'.includes(next) && next !== '') result += next
      else result += escaped(next)
      continue
    }
    const atStart = result === '' || /(?:^|[^\\])(?:\(|\|)$/.test(result)
    if (character === '*' && (atStart || result === '^')) result += '\\*'
    else if (character === '^' && !atStart) result += '\\^'
    else if (character === '$' && at + 1 < pattern.length && !/^\\[)|]/.test(pattern.slice(at + 1)))
      result += '\\$'
    else result += '(){}|+?'.includes(character) ? `\\${character}` : character
    at++
  }
  return result
}

function fromExtended(pattern: string): string {
  let result = ''
  for (let at = 0; at < pattern.length;) {
    const character = pattern[at] ?? ''
    if (character === '[') {
      result += bracketAt(pattern, at)
      at += rawLength(pattern, at)
    } else if (character === '\\') {
      const next = pattern[at + 1] ?? ''
      if (/[1-9]/.test(next)) throw new AppletFailure('back-references in expressions are not supported')
      result += escaped(next)
      at += 2
    } else if (character === '{' && !/^\{[0-9]*,?[0-9]*\}/.test(pattern.slice(at))) {
      result += '\\{'
      at++
    } else {
      result += character
      at++
    }
  }
  return result
}

function escaped(next: string): string {
  if (next === '') throw new AppletFailure('trailing backslash')
  if (next === 'n') return '\n'
  if (next === 't') return '\t'
  return WORD_ENDS[next] ?? (/[A-Za-z0-9]/.test(next) ? next : `\\${next}`)
}

/** A bracket expression, in which a backslash means itself. */
function bracketAt(pattern: string, at: number): string {
  const raw = pattern.slice(at, at + rawLength(pattern, at))
  if (!raw.endsWith(']') || raw.length < 3) throw new AppletFailure(`bad regex '${pattern}': unmatched [`)
  const negated = raw[1] === '^'
  const inner = raw.slice(negated ? 2 : 1, -1)
  const classes: string[] = []
  const rest = inner.replace(/\[:([a-z]+):\]/g, (whole) => {
    classes.push(whole)
    return ''
  })
  const shown = rest.replace(/[\\[\]^]/g, '\\$&').replace(/&&/g, '&\\&')
  return `[${negated ? '^' : ''}${shown}${classes.join('')}]`
}

/** The length of the bracket expression that starts here. */
function rawLength(pattern: string, at: number): number {
  let end = at + 1
  if (pattern[end] === '^') end++
  if (pattern[end] === ']') end++
  while (end < pattern.length && pattern[end] !== ']') {
    const named = /^\[:[a-z]+:\]/.exec(pattern.slice(end, end + 12))
    end += named ? named[0].length : 1
  }
  return end + 1 - at
}
