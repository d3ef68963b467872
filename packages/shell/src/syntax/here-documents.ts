import { isContinued } from '../text/text.ts'
import { TextBuilder } from '../text/text-builder.ts'
import type { Scanner } from './scanner.ts'
import type { Word } from './syntax-tree.ts'

interface Pending {
  readonly delimiter: string
  readonly quoted: boolean
  readonly stripTabs: boolean
  readonly body: { word: Word }
}

/** The here-documents whose lines come after the line that is being read. */
export class HereDocuments {
  readonly #scanner: Scanner
  readonly #readBody: (text: string) => Word
  #pending: Pending[] = []

  constructor(scanner: Scanner, readBody: (text: string) => Word) {
    this.#scanner = scanner
    this.#readBody = readBody
  }

  /** Announces one. Its body is filled in when its lines have been read. */
  expect(delimiter: Word, stripTabs: boolean): { word: Word } {
    const text = delimiter.map((part) => (part.type === 'text' ? part.text : '')).join('')
    const quoted = delimiter.some((part) => part.type === 'text' && part.quoted)
    const body: { word: Word } = { word: [] }
    this.#pending.push({ delimiter: text, quoted, stripTabs, body })
    return body
  }

  /** Reads all that were announced, from the start of a line. */
  read(): void {
    const pending = this.#pending
    this.#pending = []
    for (const { delimiter, quoted, stripTabs, body } of pending) {
      const text = this.#lines(delimiter, stripTabs, quoted)
      body.word = quoted ? [{ type: 'text', text, quoted: true }] : this.#readBody(text)
    }
  }

  #lines(delimiter: string, stripTabs: boolean, quoted: boolean): string {
    const scanner = this.#scanner
    const text = new TextBuilder()
    let continued = false
    for (;;) {
      // A script may end without the delimiter; on a terminal more lines would come.
      if (scanner.atEnd) throw scanner.incomplete(delimiter)
      const full = scanner.match(/[^\n]*/y) ?? ''
      const ended = scanner.take('\n')
      const line: string = stripTabs && !continued ? full.replace(/^\t+/, '') : full
      if (line === delimiter && !continued) return text.toString()
      text.add(ended ? `${line}\n` : line)
      continued = !quoted && isContinued(line)
    }
  }
}
