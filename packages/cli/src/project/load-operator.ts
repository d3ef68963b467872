import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { HomeostatError } from '@homeostat/api'
import { isOperator, resolveOperator, type Operator, type OperatorSource } from 'homeostat'

/** An operator of a project, and where it was found. */
export interface Project {
  readonly operator: Operator
  /** The operator itself, or the function that makes it for each process. */
  readonly source: OperatorSource
  /** The module that exports it. */
  readonly file: string
  /** The name and version in the package.json beside it or above, if there is one. */
  readonly package: { readonly name?: string | undefined; readonly version?: string | undefined }
}

const NAMES = ['operator.ts', 'operator.mts', 'operator.js', 'operator.mjs', 'src/operator.ts'] as const

/**
 * Loads the operator that a module exports as its default: the given file, or `operator.ts` in the folder. Throws a `HomeostatError`
 * with code `OPERATOR_NOT_FOUND`, `OPERATOR_NOT_LOADED` or `OPERATOR_INVALID`; the message names the file.
 */
export async function loadOperator(cwd: string, given?: string): Promise<Project> {
  const file = findOperator(cwd, given)
  const source = await importDefault(file)
  if (typeof source !== 'function' && !isOperator(source)) {
    throw new HomeostatError(
      'OPERATOR_INVALID',
      `${file} has no operator as its default export: write export default operator('name', { controllers: [...] })`,
    )
  }
  const operator = await resolveOperator(source as OperatorSource)
  return { operator, source: source as OperatorSource, file, package: packageOf(dirname(file)) }
}

/** The module of an operator, without loading it: the given file, or `operator.ts` in the folder. Fails with `OPERATOR_NOT_FOUND`. */
export function findOperator(cwd: string, given: string | undefined): string {
  if (given !== undefined) {
    const path = resolve(cwd, given)
    if (!existsSync(path)) throw notFound(`there is no file ${path}`)
    if (!statSync(path).isDirectory()) return path
    return findOperator(path, undefined)
  }
  const found = NAMES.map((name) => join(cwd, name)).find((path) => existsSync(path))
  if (found) return found
  throw notFound(`there is no operator.ts in ${cwd}`)
}

function notFound(what: string): HomeostatError {
  return new HomeostatError(
    'OPERATOR_NOT_FOUND',
    `${what}: run this command in the folder of your operator, or name its module with --operator=FILE`,
  )
}

async function importDefault(file: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown }
    return module.default
  } catch (error) {
    const why = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    throw new HomeostatError('OPERATOR_NOT_LOADED', `${file} cannot be loaded: ${why}${placeOf(error)}`, {
      cause: error,
    })
  }
}

/** The first place of a stack that is in a file of the project. The stack of a syntax error names the place before the message. */
function placeOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const line = stack.split('\n').find((each) => each.includes('file://') && !each.includes('node_modules'))
  const [, url, place] = /(file:\/\/[^\s():]*(?::\/[^\s():]*)?)((?::\d+)*)/.exec(line ?? '') ?? []
  return url === undefined ? '' : `\n  at ${fileURLToPath(url)}${place}`
}

function packageOf(folder: string): Project['package'] {
  for (let at = folder; ; at = dirname(at)) {
    const file = join(at, 'package.json')
    if (existsSync(file)) {
      const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as Project['package']
      return { name, version }
    }
    if (at === parse(at).root) return {}
  }
}
