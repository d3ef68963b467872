import { ShellFailure } from '../process/shell-failure.ts'
import type { ParameterPart, Word } from '../syntax/syntax-tree.ts'
import { evaluateArithmetic } from './arithmetic.ts'
import { LONGEST_VALUE, type ExpansionScope } from './expansion-scope.ts'
import { Pattern } from './pattern.ts'
import type { Piece } from './split-fields.ts'
import { charactersOf } from '../text/text.ts'
import { TextBuilder } from '../text/text-builder.ts'

/** Expands the words inside of the braces. */
export interface InnerWords {
  pieces(word: Word): Promise<Piece[]>
  text(word: Word): Promise<string>
  pattern(word: Word): Promise<string>
}

/** The expansion of `$name` or `${name…}`. With `single` the result is one text, and is not split. */
export async function expandParameter(
  part: ParameterPart,
  scope: ExpansionScope,
  single: boolean,
  inner: InnerWords,
): Promise<Piece[]> {
  const { name, operator, word = [], quoted } = part
  if ((name === '@' || name === '*') && operator === undefined) return positionalPieces(part, scope, single)
  const value = valueOf(name, scope)
  const one = (text: string): Piece[] => [{ text, quoted, split: !quoted }]
  const missing = value === undefined || (operator?.startsWith(':') === true && value === '')
  switch (operator) {
    case '-':
    case ':-':
      return missing ? inner.pieces(word) : (listed(part, scope, single) ?? one(value))
    case '+':
    case ':+':
      return missing ? [] : inner.pieces(word)
    case '=':
    case ':=': {
      if (!missing) return one(value)
      if (!/^[A-Za-z_]/.test(name)) throw new ShellFailure(`${name}: bad variable name`)
      const text = await inner.text(word)
      scope.set(name, text)
      return one(text)
    }
    case '?':
    case ':?':
      if (!missing) return one(value)
      throw new ShellFailure(
        `${name}: ${(await inner.text(word)) || `parameter ${value === undefined ? 'not set' : 'null'}`}`,
      )
    default:
  }
  if (value === undefined && scope.option('nounset')) throw new ShellFailure(`${name}: parameter not set`)
  const text = value ?? ''
  switch (operator) {
    case 'length':
      await scope.step(1 + (text.length >> 8))
      return one(String(name === '@' || name === '*' ? scope.positional.length : charactersOf(text).length))
    case '#':
    case '##': {
      const pattern = new Pattern(await inner.pattern(word))
      await scope.step(pattern.cost(text.length))
      const length = pattern.prefix(text, operator === '##')
      return one(length === undefined ? text : text.slice(length))
    }
    case '%':
    case '%%': {
      const pattern = new Pattern(await inner.pattern(word))
      await scope.step(pattern.cost(text.length))
      const length = pattern.suffix(text, operator === '%%')
      return one(length === undefined ? text : text.slice(0, text.length - length))
    }
    case '/':
    case '//': {
      const replacement = part.second ? await inner.text(part.second) : ''
      return one(await replaced(text, await inner.pattern(word), replacement, operator === '//', scope))
    }
    case 'part':
      return one(await partOf(text, part, scope, inner))
    default:
      return one(text)
  }
}

/** `${@:-x}` with arguments is `$@`. */
function listed(part: ParameterPart, scope: ExpansionScope, single: boolean): Piece[] | undefined {
  return part.name === '@' || part.name === '*' ? positionalPieces(part, scope, single) : undefined
}

function positionalPieces({ name, quoted }: ParameterPart, scope: ExpansionScope, single: boolean): Piece[] {
  const values = scope.positional
  if ((name === '*' && quoted) || single) {
    const separator = name === '*' ? (scope.get('IFS') ?? ' ').slice(0, 1) : ' '
    return [{ text: values.join(separator), quoted, split: !quoted && !single }]
  }
  return values.flatMap((text, index): Piece[] => {
    const piece = { text, quoted, split: !quoted }
    return index === 0 ? [piece] : ['border', piece]
  })
}

function valueOf(name: string, scope: ExpansionScope): string | undefined {
  if (name === '@' || name === '*')
    return scope.positional.length === 0 ? undefined : scope.positional.join(' ')
  if (name === '#') return String(scope.positional.length)
  if (/^[1-9][0-9]*$/.test(name)) return scope.positional[Number(name) - 1]
  return /^[A-Za-z_]/.test(name) ? scope.get(name) : scope.special(name)
}

/** Replaces the first match, or every one. Matches are as long as possible. */
async function replaced(
  text: string,
  pattern: string,
  replacement: string,
  all: boolean,
  scope: ExpansionScope,
): Promise<string> {
  const anchored = /^[#%]/.exec(pattern)?.[0]
  const matcher = new Pattern(anchored ? pattern.slice(1) : pattern)
  await scope.step(matcher.elastic ? matcher.cost(text.length * 64) : 1 + (text.length >> 8))
  if (anchored === '#') {
    const length = matcher.prefix(text, true)
    return length === undefined ? text : replacement + text.slice(length)
  }
  if (anchored === '%') {
    const length = matcher.suffix(text, true)
    return length === undefined ? text : text.slice(0, text.length - length) + replacement
  }
  const characters = charactersOf(text)
  if (matcher.elastic && characters.length > LONGEST_REPLACED) {
    throw new ShellFailure('a value is too long to replace a pattern with * in it')
  }
  const result = new TextBuilder()
  let pause = CHARACTERS_OF_STEP
  for (let at = 0; at < characters.length;) {
    const length =
      (matcher.elastic ? matcher.prefixAt(characters, at, true) : matcher.fixedAt(characters, at)) ?? 0
    if (at >= pause) {
      await scope.step(CHARACTERS_OF_STEP >> 6)
      pause = at + CHARACTERS_OF_STEP
    }
    if (length === 0) {
      result.add(characters[at++] ?? '')
      continue
    }
    result.add(replacement)
    at += length
    if (result.length > LONGEST_VALUE) throw new ShellFailure('a value is too long')
    if (!all) return result.toString() + characters.slice(at).join('')
  }
  return result.toString()
}

/** A match is tried at each position of the text, so that the work grows with the square of its length. */
const LONGEST_REPLACED = 1_024
/** After this number of characters, other processes get their turn. */
const CHARACTERS_OF_STEP = 16_384

async function partOf(
  text: string,
  part: ParameterPart,
  scope: ExpansionScope,
  inner: InnerWords,
): Promise<string> {
  await scope.step(1 + (text.length >> 8))
  const characters = charactersOf(text)
  const number = async (word: Word): Promise<number> =>
    Number(evaluateArithmetic(await inner.text(word), scope))
  const offset = await number(part.word ?? [])
  const start = offset < 0 ? characters.length + offset : offset
  if (start < 0) return ''
  const length = part.second ? await number(part.second) : characters.length
  return characters.slice(start, length < 0 ? length : start + length).join('')
}
