import { HomeostatError } from '@homeostat/api'

/** How often `*` and `+` repeat at most. */
const MOST_REPEATS = 4
const CLASSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    d: '0123456789',
    w: 'abcxyzABC019_',
    s: ' ',
    D: 'abc-',
    W: '-. ',
    S: 'abc01-',
  }),
)
const ANY = 'abcxyz019-'
const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index))

/**
 * A text that matches a regular expression. It supports classes, groups, choices and repetitions, which most patterns in schemas
 * consist of; anything else throws a `HomeostatError` with code `PATTERN_UNSUPPORTED`.
 */
export function samplePattern(pattern: string, random: () => number): string {
  const parser = new Sampler(pattern, random)
  const text = parser.choice()
  if (!parser.isAtEnd || !new RegExp(pattern, 'u').test(text)) throw unsupported(pattern)
  return text
}

function unsupported(pattern: string): HomeostatError {
  return new HomeostatError(
    'PATTERN_UNSUPPORTED',
    `no text can be made for the pattern ${pattern}: give expectRoundTrip values for the field`,
  )
}

/** Reads a pattern from left to right and makes a text of each part on the way. */
class Sampler {
  readonly #pattern: string
  readonly #random: () => number
  #at = 0

  constructor(pattern: string, random: () => number) {
    this.#pattern = pattern
    this.#random = random
  }

  get isAtEnd(): boolean {
    return this.#at === this.#pattern.length
  }

  /** Alternatives between bars; a sample has one of them. */
  choice(): string {
    const texts = [this.#sequence()]
    while (this.#take('|')) texts.push(this.#sequence())
    return this.#pick(texts)
  }

  #sequence(): string {
    let text = ''
    while (!this.isAtEnd && !'|)'.includes(this.#next)) text += this.#repeated()
    return text
  }

  /** An atom, repeated as its quantifier says. Each repetition reads the atom again, so that its choices differ. */
  #repeated(): string {
    const start = this.#at
    let text = this.#atom()
    const end = this.#at
    const [least, most] = this.#quantifier()
    const after = this.#at
    const count = least + Math.floor(this.#random() * (most - least + 1))
    if (count === 0) text = ''
    for (let index = 1; index < count; index++) {
      this.#at = start
      text += this.#atom()
      if (this.#at !== end) throw unsupported(this.#pattern)
    }
    this.#at = after
    return text
  }

  #quantifier(): [least: number, most: number] {
    const rest = this.#pattern.slice(this.#at)
    const found = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(rest)
    if (!found) return [1, 1]
    this.#at += found[0].length
    const [, mark, least, comma, most] = found
    if (mark !== undefined) return [mark === '+' ? 1 : 0, mark === '?' ? 1 : MOST_REPEATS]
    const from = Number(least)
    if (comma === undefined) return [from, from]
    return [
      from,
      most === '' || most === undefined ? from + MOST_REPEATS : Math.min(Number(most), from + MOST_REPEATS),
    ]
  }

  #atom(): string {
    if (this.#take('^') || this.#take('$')) return ''
    if (this.#take('.')) return this.#pick(Array.from(ANY))
    if (this.#take('(')) return this.#group()
    if (this.#take('[')) return this.#class()
    if (this.#take('\\')) return this.#pick(this.#escaped())
    if ('*+?{'.includes(this.#next)) throw unsupported(this.#pattern)
    return this.#character()
  }

  #group(): string {
    if (this.#take('?') && !this.#take(':')) throw unsupported(this.#pattern)
    const text = this.choice()
    if (!this.#take(')')) throw unsupported(this.#pattern)
    return text
  }

  #class(): string {
    const isNegated = this.#take('^')
    const members: string[] = []
    while (!this.#take(']')) {
      if (this.isAtEnd) throw unsupported(this.#pattern)
      const from = this.#take('\\') ? this.#escaped() : [this.#character()]
      if (from.length === 1 && this.#next === '-' && this.#pattern[this.#at + 1] !== ']') {
        this.#at++
        const [to = ''] = this.#take('\\') ? this.#escaped() : [this.#character()]
        for (let code = from[0]!.charCodeAt(0); code <= to.charCodeAt(0); code++)
          members.push(String.fromCharCode(code))
      } else members.push(...from)
    }
    return this.#pick(isNegated ? PRINTABLE.filter((character) => !members.includes(character)) : members)
  }

  /** The meaning of a character after a backslash: a member of a class, or the character itself. */
  #escaped(): string[] {
    const character = this.#character()
    const members = CLASSES.get(character)
    if (members !== undefined) return Array.from(members)
    if (character === 'n') return ['\n']
    if (character === 't') return ['\t']
    if (/[a-zA-Z0-9]/.test(character)) throw unsupported(this.#pattern)
    return [character]
  }

  get #next(): string {
    return this.#pattern[this.#at] ?? ''
  }

  #character(): string {
    if (this.isAtEnd) throw unsupported(this.#pattern)
    return this.#pattern[this.#at++]!
  }

  #take(character: string): boolean {
    if (this.#next !== character || this.isAtEnd) return false
    this.#at++
    return true
  }

  #pick<T>(values: readonly T[]): T {
    if (values.length === 0) throw unsupported(this.#pattern)
    return values[Math.floor(this.#random() * values.length)]!
  }
}
