import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A file of the page. */
export interface PageFile {
  readonly type: string
  readonly body: Uint8Array
}

/** The files of the page, with their media types. */
const TYPES = new Map([
  ['index.html', 'text/html; charset=utf-8'],
  ['page.js', 'text/javascript; charset=utf-8'],
  ['page.css', 'text/css; charset=utf-8'],
  ['icon.svg', 'image/svg+xml'],
  ['licenses.txt', 'text/plain; charset=utf-8'],
])

/** The files of the page by name: those of the published package, or made from source in a workspace. */
export async function loadPageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const built = join(import.meta.dirname, 'page')
  const files = existsSync(built)
    ? new Map([...TYPES.keys()].map((name) => [name, readFileSync(join(built, name))]))
    : await buildFromSource()
  return new Map([...files].map(([name, body]) => [name, { body, type: TYPES.get(name) ?? '' }]))
}

async function buildFromSource(): Promise<ReadonlyMap<string, Uint8Array>> {
  // Named at run time: the published package does not have it.
  const builder = join(import.meta.dirname, '../../build/build-page.ts')
  const { buildPage } = (await import(builder)) as {
    buildPage: () => Promise<ReadonlyMap<string, Uint8Array>>
  }
  return buildPage()
}
