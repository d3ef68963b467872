import { createHash } from 'node:crypto'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { HomeostatError, inWorkingFolder } from '@homeostat/api'
import { isOperator, resolveOperator, type Operator, type OperatorSource } from 'homeostat'
import type { CheckDeclarations } from '../options/index.ts'
import { freshModules } from './fresh-modules.ts'

/** The exports of an operator's module. */
export interface OperatorModule {
  readonly source: OperatorSource
  readonly declared: CheckDeclarations
}

/** The exports of a valid module. */
interface LoadedModule {
  readonly default?: OperatorSource
  readonly check?: CheckDeclarations
}

/**
 * Loads the operator that a module exports as its default, and its export `check`. Where the modules can be loaded again, the
 * source does that for each process, so that a new process does not see values that the last one stored at the top level of a module.
 */
export async function loadModule(url: string): Promise<OperatorModule> {
  const first = await loadOnce(url)
  const freshUrl = freshModules(url)
  if (!freshUrl) return first
  const source = async (): Promise<Operator> => resolveOperator((await loadOnce(await freshUrl())).source)
  return { ...first, source }
}

async function loadOnce(url: string): Promise<OperatorModule> {
  const file = url.startsWith('file:') ? inWorkingFolder(fileURLToPath(withoutQuery(url))) : url
  const loaded = await load(url, file)
  const { default: source, check: declared = {} } = loaded
  if (typeof source !== 'function' && !isOperator(source)) {
    throw new HomeostatError(
      'OPERATOR_INVALID',
      `${file} has no operator as its default export: write export default operator('name', { controllers: [...] })`,
    )
  }
  return { source, declared }
}

async function load(url: string, file: string): Promise<LoadedModule> {
  try {
    const loaded: LoadedModule = await import(url)
    return loaded
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new HomeostatError('OPERATOR_NOT_LOADED', `${file} cannot be loaded: ${why}${placeIn(error)}`, {
      cause: error,
    })
  }
}

/** The first place of a stack that is in a file of the project. The stack of a syntax error names the place before the message. */
function placeIn(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const line = stack.split('\n').find((each) => each.includes('file://') && !each.includes('node_modules'))
  const [, url, place] =
    /(file:\/\/[^\s():?]*(?::\/[^\s():?]*)?)(?:\?[\w=]+)?((?::\d+)*)/.exec(line ?? '') ?? []
  return url === undefined ? '' : `\n  at ${inWorkingFolder(fileURLToPath(url))}${place}`
}

function withoutQuery(url: string): string {
  return url.replace(/\?.*$/, '')
}

/**
 * A digest of the code that this thread loads from now on, without packages: `--resume` continues a check only if the digest
 * is the same. It is empty where Node.js cannot report the code (before 22.15).
 */
export class LoadedCode {
  readonly #sources = new Map<string, string>()

  constructor() {
    if (!('registerHooks' in nodeModule)) return
    nodeModule.registerHooks({
      load: (url, context, next) => {
        const result = next(url, context)
        const { source } = result
        if (source && url.startsWith('file:') && !url.includes('/node_modules/')) {
          const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source
          this.#sources.set(url, createHash('sha256').update(bytes).digest('hex'))
        }
        return result
      },
    })
  }

  digest(): string {
    const all = [...this.#sources].toSorted(([a], [b]) => (a < b ? -1 : 1))
    return createHash('sha256').update(JSON.stringify(all)).digest('hex')
  }
}
