import { ShellFailure } from '../process/shell-failure.ts'
import type { Word, WordPart } from '../syntax/syntax-tree.ts'
import { evaluateArithmetic } from './arithmetic.ts'
import { LONGEST_VALUE, LONGEST_WORDS, MOST_WORDS, type ExpansionScope } from './expansion-scope.ts'
import { expandParameter } from './parameter.ts'
import { matchingPaths } from './pathnames.ts'
import { hasPattern, literalPattern } from './pattern.ts'
import { splitFields, type FieldText, type Piece } from './split-fields.ts'

/** After this number of fields, other processes get their turn. */
const FIELDS_OF_STEP = 256
/** How much text counts as one step. */
const LENGTH_OF_STEP = 1_024

/** Words as arguments: parameters and commands filled in, split into fields, patterns replaced by the files they match. */
export async function expandWords(words: readonly Word[], scope: ExpansionScope): Promise<string[]> {
  const fields: string[] = []
  let length = 0
  const add = (field: string): void => {
    length += field.length
    if (length > LONGEST_WORDS || fields.length >= MOST_WORDS)
      throw new ShellFailure('Argument list too long')
    fields.push(field)
  }
  for (const word of words) {
    const only = word.length === 1 ? word[0] : undefined
    if (only?.type === 'text' && (only.quoted || !(hasPattern(only.text) || only.text.startsWith('~')))) {
      add(only.text)
      continue
    }
    const pieces = await piecesOf(word, scope, false)
    for (const field of splitFields(pieces, scope.get('IFS') ?? ' \t\n')) {
      if (isPattern(field, scope)) for (const path of await pathsOf(field, scope)) add(path)
      else add(textOf(field))
      if (fields.length % FIELDS_OF_STEP === 0) await scope.step(FIELDS_OF_STEP)
    }
  }
  return fields
}

/** A word as one text: the value of an assignment, the target of a redirection. */
export async function expandText(word: Word, scope: ExpansionScope): Promise<string> {
  const pieces = await piecesOf(word, scope, true)
  const texts = pieces.map((piece) => (piece === 'border' ? ' ' : piece.text))
  const length = lengthOf(texts)
  if (length >= LENGTH_OF_STEP) await scope.step(Math.floor(Math.min(length, LONGEST_VALUE) / LENGTH_OF_STEP))
  return joined(texts)
}

/** The value of an arithmetic expression. Its work is counted even where it fails. */
async function arithmeticValue(expression: string, scope: ExpansionScope): Promise<bigint> {
  const work = { values: 0 }
  try {
    return evaluateArithmetic(expression, scope, work)
  } finally {
    await scope.step(1 + (work.values >> 4) + (Math.min(expression.length, LONGEST_VALUE) >> 10))
  }
}

function lengthOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + text.length, 0)
}

function joined(texts: readonly string[]): string {
  const [only] = texts
  if (texts.length === 1 && only !== undefined && only.length <= LONGEST_VALUE) return only
  if (lengthOf(texts) > LONGEST_VALUE) throw new ShellFailure('a value is too long')
  return texts.join('')
}

/** A word as a pattern: quoted characters are literal. */
export async function expandPattern(word: Word, scope: ExpansionScope): Promise<string> {
  const pieces = await piecesOf(word, scope, true)
  return patternOf(pieces.map((piece) => (piece === 'border' ? { text: ' ', quoted: true } : piece)))
}

async function piecesOf(word: Word, scope: ExpansionScope, single: boolean): Promise<Piece[]> {
  const pieces: Piece[] = []
  for (const [index, part] of word.entries()) {
    const first = index === 0 ? withHome(part, word[1], scope) : part
    for (const piece of await partPieces(first, scope, single)) pieces.push(piece)
    if (index % FIELDS_OF_STEP === FIELDS_OF_STEP - 1) await scope.step(FIELDS_OF_STEP)
  }
  return pieces
}

async function partPieces(part: WordPart, scope: ExpansionScope, single: boolean): Promise<Piece[]> {
  const { quoted } = part
  if (part.type === 'text') return [{ text: part.text, quoted, split: false }]
  if (part.type === 'command') return [{ text: await scope.substitute(part.list), quoted, split: !quoted }]
  if (part.type === 'arithmetic') {
    const value = await arithmeticValue(await expandText(part.expression, scope), scope)
    return [{ text: String(value), quoted, split: !quoted }]
  }
  return expandParameter(part, scope, single, {
    pieces: async (word) => {
      const pieces = await piecesOf(word, scope, single)
      return pieces.map((piece) =>
        piece === 'border'
          ? piece
          : { text: piece.text, quoted: quoted || piece.quoted, split: !quoted && !piece.quoted },
      )
    },
    text: (word) => expandText(word, scope),
    pattern: (word) => expandPattern(word, scope),
  })
}

/** `~` at the start of a word is the home folder. */
function withHome(part: WordPart, next: WordPart | undefined, scope: ExpansionScope): WordPart {
  if (part.type !== 'text' || part.quoted || !part.text.startsWith('~')) return part
  const [, user = '', rest = ''] = /^~([^/]*)(.*)$/s.exec(part.text) ?? []
  if (rest === '' && next !== undefined) return part
  const home = user === '' ? scope.get('HOME') : user === 'root' ? '/root' : undefined
  return home === undefined ? part : { type: 'text', text: home + rest, quoted: true }
}

function isPattern(field: readonly FieldText[], scope: ExpansionScope): boolean {
  return !scope.option('noglob') && field.some((piece) => !piece.quoted && hasPattern(piece.text))
}

async function pathsOf(field: readonly FieldText[], scope: ExpansionScope): Promise<string[]> {
  const found = await matchingPaths(patternOf(field), scope)
  return found.length > 0 ? found : [textOf(field)]
}

function textOf(field: readonly FieldText[]): string {
  return joined(field.map((piece) => piece.text))
}

function patternOf(field: readonly FieldText[]): string {
  return joined(field.map(({ text, quoted }) => (quoted ? literalPattern(text) : text)))
}
