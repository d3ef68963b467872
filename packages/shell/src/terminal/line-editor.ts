import { charactersOf } from '../text/text.ts'
/** The result of a key. */
export type LineEvent =
  | { readonly type: 'line'; readonly text: string }
  | { readonly type: 'end' }
  | { readonly type: 'interrupt' }

/** The output that a key causes, and whether it ended the line. */
export interface KeyResult {
  readonly echo: string
  readonly event?: LineEvent | undefined
}

const MOST_HISTORY = 200
const LONGEST_LINE = 16_384

/**
 * A line that is being typed. It echoes typed characters, which can be deleted again. At a prompt the cursor can
 * move, and earlier lines can be recalled. It does no I/O: it takes keys and returns text for the screen.
 */
export class LineEditor {
  readonly #history: string[] = []
  #prompt: string | undefined
  #text: string[] = []
  #cursor = 0
  /** Which earlier line is shown; the end of the list is the new one. */
  #shown = 0
  #draft: string[] = []
  #escape = ''

  /** Starts a line. With a prompt it can be edited in the middle; without one a program reads it. */
  begin(prompt: string | undefined): string {
    this.#prompt = prompt
    this.#text = []
    this.#cursor = 0
    this.#shown = this.#history.length
    this.#escape = ''
    return prompt ?? ''
  }

  /** Takes one character. */
  key(character: string): KeyResult {
    if (this.#escape !== '') return this.#inEscape(character)
    switch (character) {
      case '\r':
      case '\n':
        return this.#enter()
      case '\x03':
        this.begin(this.#prompt)
        return { echo: '^C\n', event: { type: 'interrupt' } }
      case '\x04':
        return this.#endOfInput()
      case '\x7f':
      case '\b':
        return this.#backspace()
      case '\x15':
        return this.#replace(this.#text.slice(this.#cursor), 0)
      case '\x17':
        return this.#eraseWord()
      case '\x0b':
        return this.#editable(() => this.#replace(this.#text.slice(0, this.#cursor), this.#cursor))
      case '\x01':
        return this.#editable(() => this.#moveTo(0))
      case '\x05':
        return this.#editable(() => this.#moveTo(this.#text.length))
      case '\x02':
        return this.#editable(() => this.#moveTo(this.#cursor - 1))
      case '\x06':
        return this.#editable(() => this.#moveTo(this.#cursor + 1))
      case '\x10':
        return this.#editable(() => this.#recall(this.#shown - 1))
      case '\x0e':
        return this.#editable(() => this.#recall(this.#shown + 1))
      case '\x0c':
        return this.#editable(() => ({ echo: `\x1b[H\x1b[J${this.#drawn()}` }))
      case '\x1b':
        this.#escape = character
        return { echo: '' }
      default:
        return this.#insert(character)
    }
  }

  #inEscape(character: string): KeyResult {
    this.#escape += character
    if (this.#escape.length > 8) this.#escape = ''
    // oxlint-disable-next-line no-control-regex
    const found = /^\x1b[[O]([0-9;]*)([A-Za-z~])$/.exec(this.#escape)
    // oxlint-disable-next-line no-control-regex
    if (!found && /^\x1b(?:[[O][0-9;]*)?$/.test(this.#escape)) return { echo: '' }
    this.#escape = ''
    if (!found) return { echo: '' }
    return this.#editable(() => this.#arrow(found[2] === '~' ? `${found[1]}~` : (found[2] ?? '')))
  }

  #arrow(key: string): KeyResult {
    switch (key) {
      case 'A':
        return this.#recall(this.#shown - 1)
      case 'B':
        return this.#recall(this.#shown + 1)
      case 'C':
        return this.#moveTo(this.#cursor + 1)
      case 'D':
        return this.#moveTo(this.#cursor - 1)
      case 'H':
      case '1~':
        return this.#moveTo(0)
      case 'F':
      case '4~':
        return this.#moveTo(this.#text.length)
      case '3~':
        return this.#replace(this.#text.toSpliced(this.#cursor, 1), this.#cursor)
      default:
        return { echo: '' }
    }
  }

  /**
   * Only a line with a prompt is edited in the middle, since otherwise the content of the screen before it is not
   * known.
   */
  #editable(edit: () => KeyResult): KeyResult {
    return this.#prompt === undefined ? { echo: '' } : edit()
  }

  #enter(): KeyResult {
    const text = this.#text.join('')
    if (this.#prompt !== undefined && text.trim() !== '' && this.#history.at(-1) !== text) {
      this.#history.push(text)
      if (this.#history.length > MOST_HISTORY) this.#history.shift()
    }
    this.begin(this.#prompt)
    return { echo: '\n', event: { type: 'line', text: `${text}\n` } }
  }

  #endOfInput(): KeyResult {
    if (this.#text.length === 0) return { echo: '', event: { type: 'end' } }
    if (this.#prompt !== undefined) return this.#replace(this.#text.toSpliced(this.#cursor, 1), this.#cursor)
    const text = this.#text.join('')
    this.begin(undefined)
    return { echo: '', event: { type: 'line', text } }
  }

  #insert(character: string): KeyResult {
    if (character < ' ' && character !== '\t') return { echo: '' }
    if (this.#text.length >= LONGEST_LINE) return { echo: '\x07' }
    const atEnd = this.#cursor === this.#text.length
    this.#text.splice(this.#cursor++, 0, character)
    return { echo: atEnd ? character : this.#drawn() }
  }

  #backspace(): KeyResult {
    if (this.#cursor === 0) return { echo: '' }
    const atEnd = this.#cursor === this.#text.length
    this.#text.splice(--this.#cursor, 1)
    return { echo: atEnd ? '\b \b' : this.#drawn() }
  }

  #eraseWord(): KeyResult {
    let start = this.#cursor
    while (start > 0 && this.#text[start - 1] === ' ') start--
    while (start > 0 && this.#text[start - 1] !== ' ') start--
    return this.#replace(this.#text.toSpliced(start, this.#cursor - start), start)
  }

  #replace(text: string[], cursor: number): KeyResult {
    const before = this.#text.length
    this.#text = text
    this.#cursor = cursor
    if (this.#prompt !== undefined) return { echo: this.#drawn() }
    return { echo: '\b \b'.repeat(before - text.length) }
  }

  #moveTo(cursor: number): KeyResult {
    if (cursor < 0 || cursor > this.#text.length) return { echo: '' }
    const by = cursor - this.#cursor
    this.#cursor = cursor
    if (by === 0) return { echo: '' }
    return { echo: by < 0 ? `\x1b[${-by}D` : `\x1b[${by}C` }
  }

  #recall(index: number): KeyResult {
    if (index < 0 || index > this.#history.length) return { echo: '' }
    if (this.#shown === this.#history.length) this.#draft = this.#text
    this.#shown = index
    const text = this.#history[index]
    const characters = text === undefined ? this.#draft : charactersOf(text)
    return this.#replace(characters, characters.length)
  }

  /** Draws the whole line again, and puts the cursor at its position. */
  #drawn(): string {
    const prompt = this.#prompt ?? ''
    const last = prompt.slice(prompt.lastIndexOf('\n') + 1)
    const back = this.#text.length - this.#cursor
    return `\r${last}${this.#text.join('')}\x1b[K${back > 0 ? `\x1b[${back}D` : ''}`
  }
}
