import { CompoundReader, type ListReader } from './compound-reader.ts'
import { HereDocuments } from './here-documents.ts'
import { Scanner } from './scanner.ts'
import type { AndOr, Command, List, Pipeline, Word } from './syntax-tree.ts'
import { WordReader } from './word-reader.ts'

/** Words that end a list of commands where a command could start. */
const CLOSING = new Set(['then', 'else', 'elif', 'fi', 'do', 'done', 'esac', '}'])

/**
 * Parses a script as a shell does, one line of commands at a time, so that the commands before a syntax error have
 * run when the error is found. Mistakes are {@link ShellSyntaxError}s.
 */
export class Parser implements ListReader {
  readonly #scanner: Scanner
  readonly #words: WordReader
  readonly #documents: HereDocuments
  readonly #compounds: CompoundReader

  constructor(text: string) {
    this.#scanner = new Scanner(text)
    this.#words = new WordReader(this.#scanner, {
      listUntilParenthesis: () => this.#listUntilParenthesis(),
      listOf: (inner) => new Parser(inner).all(),
    })
    this.#documents = new HereDocuments(this.#scanner, (body) => new Parser(body).#hereBody())
    this.#compounds = new CompoundReader(this.#scanner, this.#words, this.#documents, this)
  }

  /** The commands up to the end of the next line that has any; `undefined` at the end of the script. */
  next(): List | undefined {
    this.#scanner.beginLine()
    this.skipNewlines()
    if (this.#scanner.atEnd) return undefined
    const items = this.#items(false)
    if (items.length === 0) throw this.#unexpected()
    this.#scanner.skipBlanks()
    if (!this.#scanner.atEnd && !this.newline()) throw this.#unexpected()
    return { items }
  }

  /** Everything to the end of the text. */
  all(): List {
    const items: List['items'][number][] = []
    for (let list = this.next(); list; list = this.next()) items.push(...list.items)
    return { items }
  }

  /** Commands up to the word that closes them, such as `fi`. That word is not consumed. */
  list(): List {
    this.skipNewlines()
    return { items: this.#scanner.nested(() => this.#items(true)) }
  }

  skipNewlines(): void {
    do this.#scanner.skipBlanks()
    while (this.newline())
  }

  /** Skips a newline, and the here-documents that start after it. */
  newline(): boolean {
    if (!this.#scanner.take('\n')) return false
    this.#documents.read()
    return true
  }

  #listUntilParenthesis(): List {
    const list = this.list()
    this.#scanner.skipBlanks()
    if (this.#scanner.atEnd) throw this.#scanner.incomplete(')')
    if (!this.#scanner.take(')')) throw this.#unexpected()
    return list
  }

  #hereBody(): Word {
    return this.#words.hereBody()
  }

  #items(lines: boolean): List['items'][number][] {
    const scanner = this.#scanner
    const items: List['items'][number][] = []
    for (;;) {
      scanner.skipBlanks()
      if (scanner.atEnd || this.#closes()) return items
      const command = this.#andOr()
      scanner.skipBlanks()
      const background = scanner.peek() === '&' && scanner.peek(1) !== '&'
      items.push({ command, background })
      if (background || (scanner.peek() === ';' && scanner.peek(1) !== ';')) {
        scanner.next()
        if (lines) this.skipNewlines()
      } else if (scanner.peek() === '\n') {
        if (!lines) return items
        this.skipNewlines()
      } else return items
    }
  }

  /** Whether the text at the current position ends a list. */
  #closes(): boolean {
    const character = this.#scanner.peek()
    if (character === ')' || character === '\n' || this.#scanner.startsWith(';;')) return true
    return CLOSING.has(this.#compounds.reserved() ?? '')
  }

  #andOr(): AndOr {
    const first = this.#pipeline()
    const rest: AndOr['rest'][number][] = []
    for (;;) {
      this.#scanner.skipBlanks()
      const operator = this.#scanner.take('&&') ? '&&' : this.#scanner.take('||') ? '||' : undefined
      if (operator === undefined) return { first, rest }
      this.skipNewlines()
      rest.push({ operator, pipeline: this.#pipeline() })
    }
  }

  #pipeline(): Pipeline {
    let negated = false
    while (this.#compounds.takeReserved('!')) negated = !negated
    const commands: Command[] = [this.#command()]
    for (;;) {
      this.#scanner.skipBlanks()
      if (this.#scanner.peek() !== '|' || this.#scanner.peek(1) === '|') return { negated, commands }
      this.#scanner.next()
      this.skipNewlines()
      commands.push(this.#command())
    }
  }

  #command(): Command {
    const command = this.#scanner.nested(() => this.#compounds.command())
    if (command) return command
    if (this.#scanner.atEnd) throw this.#scanner.incomplete('command')
    throw this.#unexpected()
  }

  #unexpected(): Error {
    const scanner = this.#scanner
    const token =
      scanner.peek() === '\n' ? 'newline' : (scanner.match(/;;|&&|\|\||[;&|()<>]|[^\s;&|()<>]+/y) ?? '')
    return scanner.error(`syntax error: unexpected ${token === 'newline' ? token : `"${token}"`}`)
  }
}
