import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pageStyles } from '../../../packages/dashboard/build/build-page.ts'
import { bundleForBrowser } from '../../../scripts/browser-bundle.ts'
import { readCatalogue } from './catalogue.ts'
import { readDeclarations } from './declarations.ts'
import { licenses } from './licenses.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = join(root, 'docs', 'playground')
const runtime = join(root, 'packages', 'runtime', 'src')

type BuiltFiles = ReadonlyMap<string, Uint8Array>

/** The playground, as static files by name. */
export async function buildPlayground(): Promise<BuiltFiles> {
  const page = join(folder, 'page')
  const files = new Map<string, Uint8Array>([
    ...(await buildWorker()),
    ...(await bundled({ playground: join(page, 'main.tsx') })),
    ['index.html', readFileSync(join(page, 'index.html'))],
    ['playground.css', Buffer.from(`${pageStyles()}\n${readFileSync(join(page, 'playground.css'), 'utf8')}`)],
    ['icon.svg', readFileSync(join(root, 'packages', 'dashboard', 'page', 'icon.svg'))],
    ...(await bundled({ types: join(folder, 'types', 'main.ts') })),
    ['types.json', Buffer.from(JSON.stringify(readDeclarations()))],
    ['examples.json', Buffer.from(JSON.stringify(readCatalogue()))],
    ['licenses.txt', Buffer.from(licenses())],
  ])
  return new Map([...files, ...(await bundled({ offline: join(page, 'offline.ts') }, keptFiles(files)))])
}

/** The scripts of the worker, and the modules that the code of an operator imports there, by file name. */
export function buildWorker(): Promise<BuiltFiles> {
  return bundled({
    worker: join(folder, 'worker', 'main.ts'),
    homeostat: join(runtime, 'index.ts'),
    'homeostat-kinds': join(runtime, 'kinds.ts'),
    'homeostat-schemas': join(runtime, 'schemas.ts'),
  })
}

/** What the service worker keeps: everything, under a name that changes with any of it. */
function keptFiles(files: BuiltFiles): Readonly<Record<string, string>> {
  const hash = createHash('sha256')
  for (const [name, content] of files) hash.update(name).update(content)
  const names = [...files.keys()].map((name) => (name === 'index.html' ? './' : name))
  return { FILES: JSON.stringify(names), VERSION: JSON.stringify(hash.digest('hex').slice(0, 12)) }
}

async function bundled(
  entries: Readonly<Record<string, string>>,
  define?: Readonly<Record<string, string>>,
): Promise<BuiltFiles> {
  const chunks = await bundleForBrowser({ entries, define })
  return new Map(chunks.map(({ fileName, code }) => [fileName, Buffer.from(code)]))
}
