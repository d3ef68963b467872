import { ShellFailure } from '../shell-failure.ts'
import type { Word, WordPart } from '../syntax/syntax-tree.ts'
import { evaluateArithmetic } from './arithmetic.ts'
import { LONGEST_VALUE, type ExpansionScope } from './expansion-scope.ts'
import { expandParameter } from './parameter.ts'
import { matchingPaths } from './pathnames.ts'
import { hasPattern, literalPattern } from './pattern.ts'
import { splitFields, type FieldText, type Piece } from './split-fields.ts'

/** Words as arguments: parameters and commands filled in, split into fields, patterns replaced by the files they match. */
export async function expandWords(words: readonly Word[], scope: ExpansionScope): Promise<string[]> {
  const fields: string[] = []
  for (const word of words) {
    const only = word.length === 1 ? word[0] : undefined
    if (only?.type === 'text' && (only.quoted || !(hasPattern(only.text) || only.text.startsWith('~')))) {
      fields.push(only.text)
      continue
    }
    const pieces = await piecesOf(word, scope, false)
    for (const field of splitFields(pieces, scope.get('IFS') ?? ' \t\n'))
      fields.push(...pathsOf(field, scope))
  }
  return fields
}

/** A word as one text: the value of an assignment, the target of a redirection. */
export async function expandText(word: Word, scope: ExpansionScope): Promise<string> {
  const pieces = await piecesOf(word, scope, true)
  const text = pieces.map((piece) => (piece === 'border' ? ' ' : piece.text)).join('')
  if (text.length > LONGEST_VALUE) throw new ShellFailure('a value is too long')
  return text
}

/** A word as a pattern: what was quoted in it stands for itself. */
export async function expandPattern(word: Word, scope: ExpansionScope): Promise<string> {
  const pieces = await piecesOf(word, scope, true)
  return patternOf(pieces.map((piece) => (piece === 'border' ? { text: ' ', quoted: true } : piece)))
}

async function piecesOf(word: Word, scope: ExpansionScope, single: boolean): Promise<Piece[]> {
  const pieces: Piece[] = []
  for (const [index, part] of word.entries()) {
    const first = index === 0 ? withHome(part, word[1], scope) : part
    for (const piece of await partPieces(first, scope, single)) pieces.push(piece)
  }
  return pieces
}

async function partPieces(part: WordPart, scope: ExpansionScope, single: boolean): Promise<Piece[]> {
  const { quoted } = part
  if (part.type === 'text') return [{ text: part.text, quoted, split: false }]
  if (part.type === 'command') return [{ text: await scope.substitute(part.list), quoted, split: !quoted }]
  if (part.type === 'arithmetic') {
    const value = evaluateArithmetic(await expandText(part.expression, scope), scope)
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

function pathsOf(field: readonly FieldText[], scope: ExpansionScope): string[] {
  const text = field.map((piece) => piece.text).join('')
  if (text.length > LONGEST_VALUE) throw new ShellFailure('a value is too long')
  if (scope.option('noglob') || !field.some((piece) => !piece.quoted && hasPattern(piece.text))) return [text]
  const found = matchingPaths(patternOf(field), scope.directory, scope.files)
  return found.length > 0 ? found : [text]
}

function patternOf(field: readonly FieldText[]): string {
  return field.map(({ text, quoted }) => (quoted ? literalPattern(text) : text)).join('')
}
