import { createHash } from 'node:crypto'
import * as nodeModule from 'node:module'
import { fileURLToPath } from 'node:url'
import { HomeostatError } from '@homeostat/api'
import { isOperator, type OperatorSource } from 'homeostat'
import type { CheckDeclarations } from '../options/index.ts'

/** What the module of an operator exports. */
export interface OperatorModule {
  readonly source: OperatorSource
  readonly declared: CheckDeclarations
}

/** What it exports where it does as it should. */
interface LoadedModule {
  readonly default?: OperatorSource
  readonly check?: CheckDeclarations
}

/** Loads the operator that a module exports as its default, and its export `check`. */
export async function loadModule(url: string): Promise<OperatorModule> {
  const file = url.startsWith('file:') ? fileURLToPath(url) : url
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
    const lines = error instanceof Error ? (error.stack ?? '').split('\n') : []
    const place = lines.find((line) => line.includes('file://') && !line.includes('node_modules'))
    throw new HomeostatError(
      'OPERATOR_NOT_LOADED',
      `${file} cannot be loaded: ${why}${place === undefined ? '' : `\n${place.trimEnd()}`}`,
      { cause: error },
    )
  }
}

/**
 * The code that this thread loads from now on, except that of packages: a check goes on by `--resume` only where it is the same.
 * Where Node.js cannot tell (before 22.15), the digest is empty.
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
