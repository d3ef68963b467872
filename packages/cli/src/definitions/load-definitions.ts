import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HomeostatError, type CustomResourceDefinitionSource } from '@homeostat/api'
import { operatorDefinitions } from 'homeostat'
import { windowsPathProblem } from '../command/index.ts'
import { loadOperator } from '../project/index.ts'
import { definitionsIn } from './definition-text.ts'
import { download } from './download.ts'
import { filesAtRevision } from './git-revision.ts'

const DOCUMENT = /\.(ya?ml|json)$/
const MODULE = /\.[cm]?[jt]s$/

/**
 * The definitions that an argument names: a file of YAML, a folder of such files, a URL, the module of an operator, or `REVISION:PATH` of git for a
 * file or folder as it was. Throws with code `FILE_NOT_FOUND` or `DEFINITION_NOT_FOUND` where there are none.
 */
export async function loadDefinitions(
  cwd: string,
  source: string,
): Promise<CustomResourceDefinitionSource[]> {
  const found = await readDefinitions(cwd, source)
  if (found.length > 0) return found
  throw new HomeostatError(
    'DEFINITION_NOT_FOUND',
    `${source} has no CustomResourceDefinition: give the YAML with the definitions of the kinds`,
  )
}

async function readDefinitions(cwd: string, source: string): Promise<CustomResourceDefinitionSource[]> {
  if (/^https?:\/\//.test(source)) return definitionsIn(await download(source), source)
  const path = source.startsWith('file://') ? fileURLToPath(source) : resolve(cwd, source)
  if (existsSync(path)) {
    if (MODULE.test(path)) return moduleDefinitions(cwd, source)
    const files = statSync(path).isDirectory() ? documentsIn(path) : [path]
    return files.flatMap((file) => definitionsIn(readFileSync(file, 'utf8'), file))
  }
  const [, revision, inside] = /^(?!file:\/\/)([^:]{2,}):(.*)$/.exec(source) ?? []
  if (revision === undefined || inside === undefined) {
    const problem = windowsPathProblem(source)
    throw new HomeostatError('FILE_NOT_FOUND', problem ?? `there is no file or folder ${path}`)
  }
  // Git writes paths with slashes, also on Windows.
  const files = await filesAtRevision(cwd, revision, inside.replaceAll('\\', '/'), (name) =>
    DOCUMENT.test(name),
  )
  return files.flatMap(({ name, text }) => definitionsIn(text, `${revision}:${name}`))
}

function documentsIn(folder: string): string[] {
  return globSync('**/*', { cwd: folder, exclude: ['**/node_modules'] })
    .filter((name) => DOCUMENT.test(name))
    .toSorted()
    .map((name) => join(folder, name))
}

/** The definitions in the operator's manifests, without the address of its webhooks. */
async function moduleDefinitions(cwd: string, file: string): Promise<CustomResourceDefinitionSource[]> {
  const { operator } = await loadOperator(cwd, file)
  return operatorDefinitions(operator, {
    service: { name: `${operator.name}-webhooks`, namespace: `${operator.name}-system` },
  })
}
