import { HomeostatError } from '@homeostat/api'
import { init, parse } from 'es-module-lexer/minimal'
import { isOperator, type Operator } from 'homeostat'
import { transform } from 'sucrase'
import type { Files, Place, Problem } from './messages.ts'

/** What the code may import besides its own files: the names, and the files of this folder that have them. */
const LIBRARIES: Readonly<Record<string, string>> = {
  homeostat: 'homeostat.js',
  'homeostat/kinds': 'homeostat-kinds.js',
  'homeostat/schemas': 'homeostat-schemas.js',
}

const ENTRY = 'operator.ts'
/** What the lexer calls an import at the top of a file. */
const STATIC_IMPORT = 1

/** The code as the modules of one process: each load makes them again, so that nothing stays in their memory. */
export class OperatorCode {
  readonly #files: Files
  readonly #plain = new Map<string, string>()
  /** The files by the addresses of their modules. */
  readonly #names = new Map<string, string>()

  constructor(files: Files) {
    this.#files = files
  }

  /** Loads the operator that `operator.ts` exports by default. */
  async load(): Promise<Operator> {
    await init()
    const module = (await import(this.#addressOf(ENTRY, [], new Map()))) as { readonly default?: unknown }
    const value = module.default
    const made: unknown = typeof value === 'function' ? await (value as () => unknown)() : value
    if (isOperator(made)) return made
    throw new HomeostatError(
      'OPERATOR_NOT_EXPORTED',
      `${ENTRY} must export an operator by default: export default operator('name', { controllers: […] })`,
    )
  }

  /** An error as a sentence, with the place in the code where it came about. */
  problemOf(error: unknown): Problem {
    const message = error instanceof Error ? error.message : String(error)
    const loc = (error as { loc?: { line: number; column: number } } | undefined)?.loc
    const file = /^Error transforming ([^:]+): /.exec(message)?.[1]
    if (loc && file) {
      const text = message.replace(/^Error transforming [^:]+: /, '').replace(/ \(\d+:\d+\)$/, '')
      return { message: text, place: { file, line: loc.line, column: loc.column } }
    }
    return { message: this.#named(message), place: this.#placeIn(error) }
  }

  #placeIn(error: unknown): Place | undefined {
    const stack = error instanceof Error ? (error.stack ?? '') : ''
    for (const [, address = '', line, column] of stack.matchAll(/([^\s()@]+?):(\d+):(\d+)/g)) {
      const file = Object.hasOwn(this.#files, address) ? address : this.#names.get(address)
      if (file !== undefined) return { file, line: Number(line), column: Number(column) }
    }
    return undefined
  }

  /** The text with names of files in place of addresses. */
  #named(text: string): string {
    let named = text
    for (const [address, file] of this.#names) named = named.replaceAll(address, file)
    return named
      .replaceAll(/https?:\/\/\S+?\/homeostat(-\w+)?\.js/g, 'homeostat$1')
      .replaceAll('homeostat-', 'homeostat/')
  }

  /** The address of a file as a module, and before it of those that it imports. */
  #addressOf(file: string, path: readonly string[], made: Map<string, string>): string {
    const known = made.get(file)
    if (known !== undefined) return known
    if (path.includes(file)) {
      throw new HomeostatError('IMPORTS_CIRCULAR', `files import each other: ${[...path, file].join(' → ')}`)
    }
    const plain = this.#plainOf(file)
    const [imports] = parse(plain)
    let code = ''
    let end = 0
    for (const { n: name, s: from, e: to, t: type } of imports) {
      if (name === undefined || type !== STATIC_IMPORT) continue
      code += plain.slice(end, from) + this.#resolve(name, file, [...path, file], made)
      end = to
    }
    // Traces name the file, and not the address of its blob.
    code += `${plain.slice(end)}\n//# sourceURL=${file}`
    const address = URL.createObjectURL(new Blob([code], { type: 'text/javascript' }))
    made.set(file, address)
    this.#names.set(address, file)
    return address
  }

  #resolve(name: string, file: string, path: readonly string[], made: Map<string, string>): string {
    const library = LIBRARIES[name]
    if (library !== undefined) return new URL(library, import.meta.url).href
    const own = name.replace(/^\.\//, '').replace(/\.js$/, '.ts')
    if (name.startsWith('./') && Object.hasOwn(this.#files, own)) return this.#addressOf(own, path, made)
    throw new HomeostatError(
      'IMPORT_UNKNOWN',
      `${file} imports ${name}, which is not here: import one of ${Object.keys(LIBRARIES).join(', ')}, or a file of this page such as ./${ENTRY}`,
    )
  }

  /** The file without its types. Lines stay where they are. */
  #plainOf(file: string): string {
    let plain = this.#plain.get(file)
    if (plain === undefined) {
      const { code } = transform(this.#files[file] ?? '', {
        transforms: ['typescript'],
        disableESTransforms: true,
        filePath: file,
      })
      plain = code
      this.#plain.set(file, plain)
    }
    return plain
  }
}
