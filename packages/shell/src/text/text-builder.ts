/** How many pieces are joined at once. */
const PIECES = 4_096

/**
 * Builds a long text from many short pieces. A text that grows by `+=` is a chain of all its pieces until it is first read,
 * and the garbage collector goes through such a chain link by link: for a million pieces that took half a second in one turn of the
 * event loop. The builder joins pieces as they come.
 */
export class TextBuilder {
  readonly #joined: string[] = []
  #pieces: string[] = []
  #length = 0

  /** How long the text is so far. */
  get length(): number {
    return this.#length
  }

  add(piece: string): void {
    if (piece === '') return
    this.#length += piece.length
    this.#pieces.push(piece)
    if (this.#pieces.length < PIECES) return
    this.#joined.push(this.#pieces.join(''))
    this.#pieces = []
  }

  toString(): string {
    return this.#joined.join('') + this.#pieces.join('')
  }
}
