import type { HereDocuments } from './here-documents.ts'
import type { Scanner } from './scanner.ts'
import type { Assignment, CaseCommand, Command, IfCommand, List, Redirect, Word } from './syntax-tree.ts'
import type { WordReader } from './word-reader.ts'

/** Reads the lists of commands inside of compound commands. The parser implements it. */
export interface ListReader {
  list(): List
  skipNewlines(): void
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/
const RESERVED_WORD =
  /(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|in|!|\{|\})(?=[\s;&|<>()]|$)/y
const REDIRECT = /([0-9]*)(<<-|<<|<&|>&|<>|>>|>\||<|>)/y

/** Reads one command: a simple one, or `if`, `for`, `while`, `until`, `case`, a group, a subshell, a function. */
export class CompoundReader {
  readonly #scanner: Scanner
  readonly #words: WordReader
  readonly #documents: HereDocuments
  readonly #lists: ListReader

  constructor(scanner: Scanner, words: WordReader, documents: HereDocuments, lists: ListReader) {
    this.#scanner = scanner
    this.#words = words
    this.#documents = documents
    this.#lists = lists
  }

  /** The command that starts here; `undefined` where none does. */
  command(): Command | undefined {
    this.#scanner.skipBlanks()
    if (this.#scanner.take('('))
      return { type: 'subshell', body: this.#untilParenthesis(), redirects: this.#redirects() }
    if (this.takeReserved('{')) return { type: 'group', body: this.#until('}'), redirects: this.#redirects() }
    if (this.takeReserved('if')) return this.#if()
    if (this.takeReserved('while')) return this.#loop(false)
    if (this.takeReserved('until')) return this.#loop(true)
    if (this.takeReserved('for')) return this.#for()
    if (this.takeReserved('case')) return this.#case()
    if (this.reserved() !== undefined) return undefined
    return this.#function() ?? this.#simple()
  }

  /** The reserved word at the current position. */
  reserved(): string | undefined {
    this.#scanner.skipBlanks()
    const start = this.#scanner.position
    const word = this.#scanner.match(RESERVED_WORD)
    this.#scanner.position = start
    return word === 'in' ? undefined : word
  }

  takeReserved(word: string): boolean {
    if (this.reserved() !== word) return false
    this.#scanner.take(word)
    return true
  }

  #until(word: string): List {
    const list = this.#lists.list()
    this.#expect(word)
    return list
  }

  #expect(word: string): void {
    this.#lists.skipNewlines()
    if (this.takeReserved(word)) return
    if (this.#scanner.atEnd) throw this.#scanner.incomplete(word)
    throw this.#unexpected(word)
  }

  #unexpected(expected: string): Error {
    const found = this.#scanner.match(/;;|&&|\|\||[^\s;&|()<>]+|[^]/y) ?? ''
    return this.#scanner.error(`syntax error: unexpected "${found}" (expecting "${expected}")`)
  }

  #untilParenthesis(): List {
    const list = this.#lists.list()
    this.#lists.skipNewlines()
    if (this.#scanner.atEnd) throw this.#scanner.incomplete(')')
    if (!this.#scanner.take(')')) throw this.#unexpected(')')
    return list
  }

  #if(): IfCommand {
    const branches = [{ condition: this.#until('then'), body: this.#lists.list() }]
    while (this.takeReserved('elif'))
      branches.push({ condition: this.#until('then'), body: this.#lists.list() })
    const otherwise = this.takeReserved('else') ? this.#lists.list() : undefined
    this.#expect('fi')
    return { type: 'if', branches, otherwise, redirects: this.#redirects() }
  }

  #loop(until: boolean): Command {
    const condition = this.#until('do')
    return { type: 'loop', until, condition, body: this.#until('done'), redirects: this.#redirects() }
  }

  #for(): Command {
    this.#scanner.skipBlanks()
    const name = this.#scanner.match(/[A-Za-z_][A-Za-z0-9_]*/y)
    if (name === undefined) throw this.#scanner.error('syntax error: bad for loop variable')
    this.#lists.skipNewlines()
    let words: Word[] | undefined
    if (this.#scanner.match(/in(?=[\s;]|$)/y) !== undefined) {
      words = []
      for (let word = this.#word(); word; word = this.#word()) words.push(word)
    }
    this.#scanner.skipBlanks()
    this.#scanner.take(';')
    this.#expect('do')
    return { type: 'for', name, words, body: this.#until('done'), redirects: this.#redirects() }
  }

  #case(): CaseCommand {
    const word = this.#word()
    if (!word) throw this.#missingWord()
    this.#lists.skipNewlines()
    if (this.#scanner.match(/in(?=\s|$)/y) === undefined) throw this.#unexpected('in')
    const branches: CaseCommand['branches'][number][] = []
    for (this.#lists.skipNewlines(); !this.takeReserved('esac'); this.#lists.skipNewlines()) {
      if (this.#scanner.atEnd) throw this.#scanner.incomplete('esac')
      branches.push({ patterns: this.#patterns(), body: this.#lists.list() })
      this.#lists.skipNewlines()
      if (!this.#scanner.take(';;') && this.reserved() !== 'esac') {
        if (this.#scanner.atEnd) throw this.#scanner.incomplete(';;')
        throw this.#unexpected(';;')
      }
    }
    return { type: 'case', word, branches, redirects: this.#redirects() }
  }

  #patterns(): Word[] {
    this.#scanner.take('(')
    const patterns: Word[] = []
    do {
      const pattern = this.#word()
      if (!pattern) throw this.#missingWord()
      patterns.push(pattern)
      this.#scanner.skipBlanks()
    } while (this.#scanner.take('|'))
    if (!this.#scanner.take(')')) throw this.#unexpected(')')
    return patterns
  }

  /** `name() command`, and `function name { … }` as busybox takes it. */
  #function(): Command | undefined {
    const scanner = this.#scanner
    const start = scanner.position
    const keyword = scanner.match(/function[ \t]+(?=[A-Za-z_])/y) !== undefined
    const name = scanner.match(/[A-Za-z_][A-Za-z0-9_.-]*/y)
    scanner.match(/[ \t]*/y)
    const brackets = scanner.match(/\([ \t]*\)/y) !== undefined
    if (name === undefined || (!brackets && !keyword)) {
      scanner.position = start
      return undefined
    }
    this.#lists.skipNewlines()
    const body = this.command()
    if (!body) throw this.#missingWord()
    return { type: 'function', name, body, redirects: [] }
  }

  #simple(): Command | undefined {
    const line = this.#scanner.line
    const assignments: Assignment[] = []
    const words: Word[] = []
    const redirects: Redirect[] = []
    for (;;) {
      const redirect = this.#redirect()
      if (redirect) {
        redirects.push(redirect)
        continue
      }
      const word = this.#word()
      if (!word) break
      const assignment = words.length === 0 ? assignmentOf(word) : undefined
      if (assignment) assignments.push(assignment)
      else words.push(word)
    }
    if (assignments.length + words.length + redirects.length === 0) return undefined
    return { type: 'simple', assignments, words, redirects, line }
  }

  #redirects(): Redirect[] {
    const redirects: Redirect[] = []
    for (let redirect = this.#redirect(); redirect; redirect = this.#redirect()) redirects.push(redirect)
    return redirects
  }

  #redirect(): Redirect | undefined {
    const scanner = this.#scanner
    scanner.skipBlanks()
    const [, digits = '', operator = ''] = /^([0-9]*)(.*)$/s.exec(scanner.match(REDIRECT) ?? '') ?? []
    if (operator === '') return undefined
    const descriptor = digits === '' ? (operator.startsWith('<') ? 0 : 1) : Number(digits)
    const target = this.#word()
    if (!target) throw this.#missingWord()
    if (operator === '<<' || operator === '<<-') {
      return { operator: '<<', descriptor, body: this.#documents.expect(target, operator === '<<-') }
    }
    return { operator: operator as '<', descriptor, target }
  }

  #word(): Word | undefined {
    this.#scanner.skipBlanks()
    return this.#words.word()
  }

  #missingWord(): Error {
    if (this.#scanner.atEnd) return this.#scanner.incomplete('word')
    const found = this.#scanner.peek() === '\n' ? 'newline' : `"${this.#scanner.peek()}"`
    return this.#scanner.error(`syntax error: unexpected ${found}`)
  }
}

/** The word as `name=value`, if it is one: name and sign must stand there unquoted. */
function assignmentOf(word: Word): Assignment | undefined {
  const [first, ...rest] = word
  if (first?.type !== 'text' || first.quoted) return undefined
  const sign = first.text.indexOf('=')
  const name = first.text.slice(0, sign)
  if (sign < 1 || !NAME.test(name)) return undefined
  const text = first.text.slice(sign + 1)
  return { name, value: text === '' ? rest : [{ type: 'text', text, quoted: false }, ...rest] }
}
