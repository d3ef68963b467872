import { join, resolve } from 'node:path'
import { bundleForBrowser } from '../../../scripts/browser-bundle.ts'

const root = resolve(import.meta.dirname, '../../..')
const folder = join(root, 'docs', 'playground')
const runtime = join(root, 'packages', 'runtime', 'src')

/** The scripts of the worker, and the modules that the code of an operator imports there, by file name. */
export async function buildWorker(): Promise<ReadonlyMap<string, Uint8Array>> {
  const chunks = await bundleForBrowser({
    entries: {
      worker: join(folder, 'worker', 'main.ts'),
      homeostat: join(runtime, 'index.ts'),
      'homeostat-kinds': join(runtime, 'kinds.ts'),
      'homeostat-schemas': join(runtime, 'schemas.ts'),
    },
  })
  return new Map(chunks.map(({ fileName, code }) => [fileName, Buffer.from(code)]))
}
