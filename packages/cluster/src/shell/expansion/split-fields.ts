/** A piece of an expanded word, or the border between two fields. */
export type Piece = { readonly text: string; readonly quoted: boolean; readonly split: boolean } | 'border'

/** What a field is made of. Quoted text is never a pattern. */
export interface FieldText {
  readonly text: string
  readonly quoted: boolean
}

/** Cuts what came out of expansions at the characters of `IFS`, and leaves the rest together. */
export function splitFields(pieces: readonly Piece[], ifs: string): FieldText[][] {
  const fields: FieldText[][] = []
  let current: FieldText[] | undefined
  /** Whether space has ended a field: one further separator then belongs to the same border. */
  let spaced = false
  function end(): void {
    if (current) fields.push(current)
    current = undefined
  }
  for (const piece of pieces) {
    if (piece === 'border') {
      end()
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
    for (const text of cut(piece.text, ifs)) {
      if (text === '' || !ifs.includes(text.slice(0, 1))) {
        current ??= []
        current.push({ text, quoted: false })
        spaced = false
      } else if (/^[ \t\n]$/.test(text)) {
        if (current) spaced = true
        end()
      } else {
        if (current) end()
        else if (!spaced) fields.push([])
        spaced = false
      }
    }
  }
  end()
  return fields
}

/** The text in pieces: each separator alone, and what stands between them. */
function cut(text: string, ifs: string): string[] {
  const pieces: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (!ifs.includes(text[at] ?? '')) continue
    if (at > start) pieces.push(text.slice(start, at))
    pieces.push(text[at] ?? '')
    start = at + 1
  }
  if (start < text.length) pieces.push(text.slice(start))
  return pieces
}
