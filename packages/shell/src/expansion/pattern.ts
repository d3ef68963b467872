import { ShellFailure } from '../process/shell-failure.ts'
import { charactersOf } from '../text/text.ts'

/** The longest text that is matched: each of its characters takes a step for each part of the pattern. */
const LONGEST_TEXT = 262_144
/** How many such steps one match may take: it has no pause. */
const MOST_WORK = 1_000_000
/** How many parts a pattern may have. */
const MOST_TOKENS = 10_000

type Token =
  | { readonly type: 'character'; readonly value: string }
  | { readonly type: 'any' }
  | { readonly type: 'star' }
  | { readonly type: 'class'; readonly test: (character: string) => boolean }

const CLASSES: Readonly<Record<string, RegExp>> = {
  alpha: /^\p{L}$/u,
  digit: /^[0-9]$/,
  alnum: /^[\p{L}\p{N}]$/u,
  upper: /^\p{Lu}$/u,
  lower: /^\p{Ll}$/u,
  space: /^\s$/,
  blank: /^[ \t]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  xdigit: /^[0-9A-Fa-f]$/,
  cntrl: /^\p{Cc}$/u,
  print: /^\P{Cc}$/u,
  graph: /^[^\p{Cc}\s]$/u,
}

/**
 * A shell pattern: `*`, `?`, `[…]`, and backslash before what is meant literally. Matching takes steps in proportion
 * to the length of the text times that of the pattern, whatever they are.
 */
export class Pattern {
  readonly #tokens: readonly Token[]
  readonly #stars: number

  constructor(pattern: string) {
    if (pattern.length > LONGEST_TEXT) throw new ShellFailure('a pattern is too long')
    this.#tokens = tokensOf(pattern)
    if (this.#tokens.length > MOST_TOKENS) throw new ShellFailure('a pattern is too long')
    this.#stars = this.#tokens.filter(({ type }) => type === 'star').length
  }

  /** Whether it may match texts of more than one length. */
  get elastic(): boolean {
    return this.#stars > 0
  }

  /** The highest cost of a match with a text of this length, in steps. */
  cost(length: number): number {
    return 1 + (Math.min(length * (1 + this.#stars), MOST_WORK) >> 7)
  }

  /** Whether the whole text matches. */
  matches(text: string): boolean {
    const characters = bounded(text)
    return endsOf(this.#tokens, characters, 0)[characters.length] === true
  }

  /** The length of the shortest or longest start of the text that matches. */
  prefix(text: string, longest: boolean): number | undefined {
    const characters = bounded(text)
    const found = this.prefixAt(characters, 0, longest)
    return found === undefined ? undefined : characters.slice(0, found).join('').length
  }

  /** The same in characters, from one of them on. */
  prefixAt(characters: readonly string[], start: number, longest: boolean): number | undefined {
    const ends = endsOf(this.#tokens, characters, start)
    const found = longest ? ends.lastIndexOf(true) : ends.indexOf(true)
    return found < 0 ? undefined : found
  }

  /** How many characters it matches from one of them on; for a pattern that is not elastic. */
  fixedAt(characters: readonly string[], start: number): number | undefined {
    for (let index = 0; index < this.#tokens.length; index++) {
      const [token, character] = [this.#tokens[index], characters[start + index]]
      if (!token || character === undefined || !accepts(token, character)) return undefined
    }
    return this.#tokens.length
  }

  /** Does the same as `prefix` for the end of the text. */
  suffix(text: string, longest: boolean): number | undefined {
    const characters = bounded(text).reverse()
    const ends = endsOf(this.#tokens.toReversed(), characters, 0)
    const found = longest ? ends.lastIndexOf(true) : ends.indexOf(true)
    return found < 0 ? undefined : characters.slice(0, found).join('').length
  }
}

function bounded(text: string): string[] {
  if (text.length > LONGEST_TEXT) throw new ShellFailure('a value is too long for a pattern')
  return charactersOf(text)
}

/** Whether a text has characters that make it a pattern. A bracket counts only where another one closes it. */
export function hasPattern(text: string): boolean {
  if (text.includes('*') || text.includes('?')) return true
  const open = text.indexOf('[')
  return open >= 0 && text.includes(']', open + 1)
}

/** A text as a pattern that matches only this text. */
export function literalPattern(text: string): string {
  return text.replace(/[\\*?[\]!^-]/g, '\\$&')
}

/** For each number of characters from the start on, whether they match all tokens; no further than any could. */
function endsOf(tokens: readonly Token[], characters: readonly string[], start: number): boolean[] {
  let states = [0]
  const marks = new Int32Array(tokens.length + 1).fill(-1)
  closeOver(tokens, states, marks, -2)
  const ends = [states.includes(tokens.length)]
  let work = 0
  for (let at = start; at < characters.length && states.length > 0; at++) {
    work += states.length
    if (work > MOST_WORK) throw new ShellFailure('a value is too long for a pattern')
    const next: number[] = []
    for (const state of states) {
      const token = tokens[state]
      if (token === undefined) continue
      const reached =
        token.type === 'star' ? state : accepts(token, characters[at] ?? '') ? state + 1 : undefined
      if (reached === undefined || marks[reached] === at) continue
      marks[reached] = at
      next.push(reached)
    }
    closeOver(tokens, next, marks, at)
    states = next
    ends.push(marks[tokens.length] === at)
  }
  return ends
}

/** Adds the states that a star lets a match reach without a character. */
function closeOver(tokens: readonly Token[], states: number[], marks: Int32Array, at: number): void {
  for (const state of states) {
    if (tokens[state]?.type !== 'star' || marks[state + 1] === at) continue
    marks[state + 1] = at
    states.push(state + 1)
  }
}

function accepts(token: Token, character: string): boolean {
  if (token.type === 'character') return token.value === character
  return token.type === 'class' ? token.test(character) : true
}

function tokensOf(pattern: string): Token[] {
  const characters = charactersOf(pattern)
  const tokens: Token[] = []
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? ''
    if (character === '\\' && at + 1 < characters.length) {
      tokens.push({ type: 'character', value: characters[++at] ?? '' })
    } else if (character === '?') tokens.push({ type: 'any' })
    else if (character === '*') {
      if (tokens.at(-1)?.type !== 'star') tokens.push({ type: 'star' })
    } else if (character === '[') {
      const found = classAt(characters, at)
      if (found) {
        tokens.push({ type: 'class', test: found.test })
        at = found.end
      } else tokens.push({ type: 'character', value: '[' })
    } else tokens.push({ type: 'character', value: character })
  }
  return tokens
}

/** The bracket expression that starts here; `undefined` where no `]` closes it. */
function classAt(
  characters: readonly string[],
  start: number,
): { test: (character: string) => boolean; end: number } | undefined {
  let at = start + 1
  const negated = characters[at] === '!' || characters[at] === '^'
  if (negated) at++
  const tests: ((character: string) => boolean)[] = []
  for (let first = true; first || characters[at] !== ']'; first = false) {
    if (at >= characters.length) return undefined
    const named = /^\[:([a-z]+):\]/.exec(characters.slice(at, at + 12).join(''))
    const known = named && Object.hasOwn(CLASSES, named[1] ?? '') ? CLASSES[named[1] ?? ''] : undefined
    if (named && known) {
      tests.push((character) => known.test(character))
      at += named[0].length
      continue
    }
    if (characters[at] === '\\' && at + 1 < characters.length) at++
    const from = characters[at++] ?? ''
    if (characters[at] === '-' && characters[at + 1] !== ']' && at + 1 < characters.length) {
      const to = characters[at + 1] === '\\' ? (characters[(at += 2)] ?? '') : (characters[++at] ?? '')
      at++
      tests.push((character) => character >= from && character <= to)
    } else tests.push((character) => character === from)
  }
  const test = (character: string): boolean => tests.some((test) => test(character)) !== negated
  return { test, end: at }
}
