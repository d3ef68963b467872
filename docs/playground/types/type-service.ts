import ts from 'typescript'
import type { Files } from '../worker/messages.ts'
import type { Completions, Mistake, NameInfo, TypesAnswer, TypesQuestion } from './messages.ts'

/** The folder of the files of an operator. Declarations stand beside it. */
const FOLDER = '/operator/'

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2024,
  lib: ['lib.es2024.d.ts', 'lib.esnext.disposable.d.ts', 'lib.esnext.collection.d.ts', 'lib.webworker.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  types: [],
}

/** What a worker has to know to check types: declaration files by their paths, and the modules that some of them declare. */
export interface Declarations {
  readonly files: Files
  /** The paths of declaration files, by the names that code imports. */
  readonly modules: Readonly<Record<string, string>>
}

/** Checks the types of an operator's files, and says what could be written at a place. */
export class TypeService {
  readonly #declarations: Declarations
  readonly #service: ts.LanguageService
  readonly #versions = new Map<string, number>()
  #files: Files = {}

  constructor(declarations: Declarations) {
    this.#declarations = declarations
    this.#service = ts.createLanguageService(this.#host())
  }

  answer(question: TypesQuestion): TypesAnswer {
    this.#take(question.files)
    if (question.type === 'mistakes') return this.#mistakes()
    const { file, offset } = question
    if (!Object.hasOwn(this.#files, file)) return undefined
    if (question.type === 'completed') return this.#completed(file, offset, question.name)
    return question.type === 'completions' ? this.#completions(file, offset) : this.#name(file, offset)
  }

  #take(files: Files): void {
    for (const name of new Set([...Object.keys(files), ...Object.keys(this.#files)])) {
      if (files[name] !== this.#files[name]) this.#versions.set(name, (this.#versions.get(name) ?? 0) + 1)
    }
    this.#files = files
  }

  #mistakes(): Mistake[] {
    return Object.keys(this.#files).flatMap((file) =>
      [
        ...this.#service.getSyntacticDiagnostics(FOLDER + file),
        ...this.#service.getSemanticDiagnostics(FOLDER + file),
      ].map(({ start = 0, length = 0, messageText, category }) => ({
        file,
        from: start,
        to: start + length,
        message: ts.flattenDiagnosticMessageText(messageText, '\n'),
        severity: category === ts.DiagnosticCategory.Error ? 'error' : 'warning',
      })),
    )
  }

  #completions(file: string, offset: number): Completions | undefined {
    const found = this.#service.getCompletionsAtPosition(FOLDER + file, offset, {})
    if (!found) return undefined
    const word = /[\w$]*$/.exec(this.#files[file]?.slice(0, offset) ?? '')?.[0] ?? ''
    const span = found.optionalReplacementSpan
    return {
      from: span ? span.start : offset - word.length,
      names: found.entries
        .filter(({ kind }) => kind !== ts.ScriptElementKind.warning)
        .map(({ name, kind }) => ({ name, kind })),
    }
  }

  #completed(file: string, offset: number, name: string): NameInfo | undefined {
    const details = this.#service.getCompletionEntryDetails(
      FOLDER + file,
      offset,
      name,
      {},
      undefined,
      {},
      undefined,
    )
    return details && { from: offset, to: offset, ...textsOf(details) }
  }

  #name(file: string, offset: number): NameInfo | undefined {
    const info = this.#service.getQuickInfoAtPosition(FOLDER + file, offset)
    if (!info) return undefined
    const { start, length } = info.textSpan
    return { from: start, to: start + length, ...textsOf(info) }
  }

  #host(): ts.LanguageServiceHost {
    const { files, modules } = this.#declarations
    const textOf = (path: string): string | undefined =>
      path.startsWith(FOLDER) ? this.#files[path.slice(FOLDER.length)] : files[path]
    return {
      getCompilationSettings: () => ({
        ...OPTIONS,
        paths: Object.fromEntries(Object.entries(modules).map(([name, path]) => [name, [path]])),
      }),
      getScriptFileNames: () => Object.keys(this.#files).map((name) => FOLDER + name),
      getScriptVersion: (path) => String(this.#versions.get(path.slice(FOLDER.length)) ?? 0),
      getScriptSnapshot: (path) => {
        const text = textOf(path)
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
      },
      getCurrentDirectory: () => FOLDER,
      getDefaultLibFileName: () => '/lib/lib.es2024.d.ts',
      fileExists: (path) => textOf(path) !== undefined,
      readFile: textOf,
      directoryExists: (path) =>
        Object.keys(files).some((file) => file.startsWith(`${path}/`)) || path === '/operator',
      useCaseSensitiveFileNames: () => true,
    }
  }
}

function textsOf({
  displayParts = [],
  documentation = [],
}: {
  readonly displayParts?: ts.SymbolDisplayPart[]
  readonly documentation?: ts.SymbolDisplayPart[]
}): Pick<NameInfo, 'signature' | 'documentation'> {
  return {
    // The last line of an import says no more than the name.
    signature: ts.displayPartsToString(displayParts).replace(/\nimport [\w$]+$/, ''),
    documentation: ts.displayPartsToString(documentation),
  }
}
