/** A piece of an expanded word, or the border between two fields. */
export type Piece = { readonly text: string; readonly quoted: boolean; readonly split: boolean } | 'border'

/** A part of a field. Quoted text is never a pattern. */
export interface FieldText {
  readonly text: string
  readonly quoted: boolean
}

/**
 * Splits the results of expansions at the characters of `IFS`; other text is not split. Yields the fields one by
 * one.
 */
export function* splitFields(pieces: readonly Piece[], ifs: string): Generator<FieldText[]> {
  let current: FieldText[] | undefined
  /** Whether white space has ended a field. One further separator then belongs to the same boundary. */
  let spaced = false
  const separators = new RegExp(`[${ifs.replace(/[\\\]^-]/g, '\\$&')}]`, 'g')
  for (const piece of pieces) {
    if (piece === 'border') {
      if (current) yield current
      current = undefined
      spaced = false
      continue
    }
    if (!piece.split) {
      if (piece.text === '' && !piece.quoted) continue
      current ??= []
      current.push(piece)
      spaced = false
      continue
    }
    for (const { text, separator } of ifs === '' ? whole(piece.text) : cut(piece.text, separators)) {
      if (!separator) {
        current ??= []
        current.push({ text, quoted: false })
        spaced = false
      } else if (text === ' ' || text === '\t' || text === '\n') {
        if (current) {
          spaced = true
          yield current
        }
        current = undefined
      } else {
        if (current) yield current
        else if (!spaced) yield []
        current = undefined
        spaced = false
      }
    }
  }
  if (current) yield current
}

interface Cut {
  readonly text: string
  readonly separator: boolean
}

function whole(text: string): Cut[] {
  return text === '' ? [] : [{ text, separator: false }]
}

/** The pieces of a text: each separator, and the text between separators. */
function* cut(text: string, separators: RegExp): Generator<Cut> {
  let start = 0
  for (const { index } of text.matchAll(separators)) {
    if (index > start) yield { text: text.slice(start, index), separator: false }
    yield { text: text[index] ?? '', separator: true }
    start = index + 1
  }
  if (start < text.length) yield { text: text.slice(start), separator: false }
}
