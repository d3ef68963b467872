import { FileError } from '../../files/index.ts'
import type { Input } from '../../process/input.ts'
import { decodeText } from '../../text/text.ts'
import { AppletFailure, type Applet, type AppletContext } from '../context/applet-context.ts'
import { parseOptions, countOf, type Options } from '../context/options.ts'
import { literalExpression, RegularExpression } from './regular-expression.ts'

const TROUBLE = 2
const DEEPEST = 100
const MOST_EXPRESSIONS = 10_000
/** The cost of compiling an expression, in steps. */
const EXPRESSION = 40
/** The memory of a line of context besides its text. */
const LINE_WEIGHT = 64

const grep: Applet = async (context) => search(context, 'basic')
const egrep: Applet = async (context) => search(context, 'extended')
const fgrep: Applet = async (context) => search(context, 'fixed')

async function search(context: AppletContext, syntax: 'basic' | 'extended' | 'fixed'): Promise<number> {
  const options = parseOptions(context, {
    letters: 'EFGe:f:ivncqlLhHowxsrRm:A:B:C:aI',
    long: {
      'ignore-case': 'i',
      'invert-match': 'v',
      count: 'c',
      quiet: 'q',
      'only-matching': 'o',
      'extended-regexp': 'E',
      'fixed-strings': 'F',
      'line-number': 'n',
      recursive: 'r',
      'max-count': 'm',
    },
  })
  const kind = options.has('E') ? 'extended' : options.has('F') ? 'fixed' : syntax
  const paths = [...options.operands]
  const expressions = await expressionsOf(context, options, paths, kind)
  const search = new Search(context, options, expressions, paths.length > 1)
  const recursive = options.has('r') || options.has('R')
  let trouble = false
  for (const path of paths.length > 0 ? paths : [recursive ? '.' : '-']) {
    try {
      if (recursive && path !== '-') await search.tree(path, 0)
      else await search.file(path, path)
    } catch (error) {
      if (!(error instanceof FileError)) throw error
      trouble = true
      if (!options.has('s')) await context.complain(`${path}: ${error.reason}`)
    }
    if (search.found && options.has('q')) return 0
  }
  return trouble ? TROUBLE : search.found ? 0 : 1
}

async function expressionsOf(
  context: AppletContext,
  options: Options,
  paths: string[],
  kind: 'basic' | 'extended' | 'fixed',
): Promise<RegularExpression[]> {
  const given = [...options.values('e')]
  for (const path of options.values('f')) {
    const text = decodeText(await context.reading(path, (input) => input.readAll(context.signal, 1024 ** 2)))
    given.push(...text.replace(/\n$/, '').split('\n'))
  }
  if (!options.has('e') && !options.has('f')) {
    const first = paths.shift()
    if (first === undefined) throw new AppletFailure('missing pattern', TROUBLE)
    given.push(first)
  }
  const expressions: RegularExpression[] = []
  for (const pattern of given.flatMap((pattern) => pattern.split('\n'))) {
    if (expressions.length >= MOST_EXPRESSIONS) throw new AppletFailure('too many expressions', TROUBLE)
    await context.step(EXPRESSION)
    const extended = kind !== 'basic'
    let text = kind === 'fixed' ? literalExpression(pattern) : pattern
    const [open, close] = extended ? ['(', ')'] : ['\\(', '\\)']
    if (options.has('x')) text = `^${open}${text}${close}$`
    else if (options.has('w')) text = `\\<${open}${text}${close}\\>`
    try {
      expressions.push(new RegularExpression(text, { extended, ignoreCase: options.has('i') }))
    } catch (error) {
      throw error instanceof AppletFailure ? new AppletFailure(error.message, TROUBLE) : error
    }
  }
  return expressions
}

class Search {
  readonly #context: AppletContext
  readonly #options: Options
  readonly #expressions: readonly RegularExpression[]
  readonly #most: number
  readonly #before: number
  readonly #after: number
  #named: boolean
  found = false

  constructor(
    context: AppletContext,
    options: Options,
    expressions: readonly RegularExpression[],
    several: boolean,
  ) {
    this.#context = context
    this.#options = options
    this.#expressions = expressions
    this.#most = options.has('m') ? countOf(options.value('m') ?? '') : Number.POSITIVE_INFINITY
    this.#before = countOf(options.value('B') ?? options.value('C') ?? '0')
    this.#after = countOf(options.value('A') ?? options.value('C') ?? '0')
    this.#named = (several || options.has('H')) && !options.has('h')
  }

  async tree(path: string, depth: number): Promise<void> {
    this.#named = !this.#options.has('h')
    if (this.#context.files.stat(this.#context.absolute(path))?.kind !== 'folder' || depth > DEEPEST) {
      await this.file(path, path)
      return
    }
    for (const name of this.#context.files.list(this.#context.absolute(path))) {
      await this.#context.step(4)
      const child = `${path.replace(/(?<=.)\/$/, '')}/${name}`
      if (this.#context.files.lstat(this.#context.absolute(child))?.kind !== 'link')
        await this.tree(child, depth + 1)
    }
  }

  file(path: string, shown: string): Promise<void> {
    return this.#context.reading(path, (input) =>
      this.#input(input, shown === '-' ? '(standard input)' : shown),
    )
  }

  async #input(input: Input, path: string): Promise<void> {
    const options = this.#options
    const quiet = options.has('q') || options.has('l') || options.has('L') || options.has('c')
    const earlier: string[] = []
    let [count, number, after, lastShown] = [0, 0, 0, 0]
    for await (const { bytes } of this.#context.lines(input)) {
      const line = decodeText(bytes)
      number++
      const matches = (await this.#matches(line)) !== options.has('v')
      if (matches) {
        count++
        this.found = this.found || !options.has('L')
        if (options.has('q') || options.has('l')) break
        if (!quiet) {
          const context = this.#before > 0 || this.#after > 0
          if (context && lastShown > 0 && number - earlier.length > lastShown + 1)
            await this.#context.print('--\n')
          for (const [index, text] of earlier.entries())
            await this.#show(path, number - earlier.length + index, text, '-')
          await this.#matched(path, number, line)
          lastShown = number
        }
        after = this.#after
        for (const text of earlier) this.#context.release(text.length + LINE_WEIGHT)
        earlier.length = 0
        if (count >= this.#most) break
      } else if (after > 0 && !quiet) {
        after--
        lastShown = number
        await this.#show(path, number, line, '-')
      } else if (this.#before > 0) {
        this.#context.hold(line.length + LINE_WEIGHT)
        earlier.push(line)
        if (earlier.length > this.#before) this.#context.release((earlier.shift() ?? '').length + LINE_WEIGHT)
      }
    }
    if (options.has('c') && !options.has('q'))
      await this.#context.print(`${this.#named ? `${path}:` : ''}${count}\n`)
    if (options.has('l') && count > 0) await this.#context.print(`${path}\n`)
    if (options.has('L') && count === 0) {
      this.found = true
      await this.#context.print(`${path}\n`)
    }
  }

  async #matches(line: string): Promise<boolean> {
    for (const expression of this.#expressions) {
      if (expression.matches(line)) return true
      await this.#context.step(expression.cost(line.length))
    }
    return false
  }

  async #matched(path: string, number: number, line: string): Promise<void> {
    if (!this.#options.has('o')) {
      await this.#show(path, number, line, ':')
      return
    }
    if (this.#options.has('v')) return
    for (let at = 0; at <= line.length;) {
      const found = this.#expressions
        .map((expression) => expression.find(line, at))
        .filter((match) => match !== undefined)
        .sort((a, b) => a.start - b.start || b.end - a.end)[0]
      if (!found) return
      await this.#context.step(this.#expressions.length)
      if (found.end > found.start) await this.#show(path, number, line.slice(found.start, found.end), ':')
      at = found.end > found.start ? found.end : found.end + 1
    }
  }

  async #show(path: string, number: number, line: string, sign: string): Promise<void> {
    const name = this.#named ? `${path}${sign}` : ''
    await this.#context.print(`${name}${this.#options.has('n') ? `${number}${sign}` : ''}${line}\n`)
  }
}

/** Applets that search in files. */
export const grepApplets: Readonly<Record<string, Applet>> = { grep, egrep, fgrep }
