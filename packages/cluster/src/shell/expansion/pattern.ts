import { ShellFailure } from '../shell-failure.ts'
import { charactersOf } from '../text.ts'

/** Each character of a text takes a step for each part of the pattern. */
const LONGEST_TEXT = 262_144

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

  constructor(pattern: string) {
    this.#tokens = tokensOf(pattern)
  }

  /** Whether it may match texts of more than one length. */
  get elastic(): boolean {
    return this.#tokens.some(({ type }) => type === 'star')
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

  /** The same as `prefix` for its end. */
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

/** Whether a text has characters that make it a pattern: a bracket does only where one closes it. */
export function hasPattern(text: string): boolean {
  if (text.includes('*') || text.includes('?')) return true
  const open = text.indexOf('[')
  return open >= 0 && text.includes(']', open + 1)
}

/** A text as a pattern that matches it alone. */
export function literalPattern(text: string): string {
  return text.replace(/[\\*?[\]!^-]/g, '\\$&')
}

/** For each number of characters from the start on, whether they match all tokens; no further than any could. */
function endsOf(tokens: readonly Token[], characters: readonly string[], start: number): boolean[] {
  let states = closure(tokens, new Set([0]))
  const ends = [states.has(tokens.length)]
  for (let at = start; at < characters.length && states.size > 0; at++) {
    const next = new Set<number>()
    for (const state of states) {
      const token = tokens[state]
      if (token === undefined) continue
      if (token.type === 'star') next.add(state)
      else if (accepts(token, characters[at] ?? '')) next.add(state + 1)
    }
    states = closure(tokens, next)
    ends.push(states.has(tokens.length))
  }
  return ends
}

function closure(tokens: readonly Token[], states: Set<number>): Set<number> {
  for (const state of states) if (tokens[state]?.type === 'star') states.add(state + 1)
  return states
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
