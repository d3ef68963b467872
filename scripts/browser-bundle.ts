import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { rolldown, type OutputChunk, type Plugin } from 'rolldown'

const root = resolve(import.meta.dirname, '..')
const packages = join(root, 'packages/')
const NEEDS_NODE = 'needs Node, so it is not part of this program, which runs in a browser'

export interface BrowserBundleOptions {
  /** The entries, by the names of the files that they become. */
  readonly entries: Readonly<Record<string, string>>
  /** Default: true. */
  readonly minify?: boolean | undefined
  /** Names in the code that stand for values, as JavaScript. Default: none. */
  readonly define?: Readonly<Record<string, string>> | undefined
  readonly plugins?: readonly Plugin[] | undefined
}

/**
 * Bundles entries for a browser, with what they import of the packages. Files that import modules of Node are left out: an import of
 * one while the program runs fails with a sentence. The bundle fails to build where such a file is imported at once, since then the
 * program would not start.
 */
export async function bundleForBrowser({
  entries,
  minify = true,
  define = {},
  plugins = [],
}: BrowserBundleOptions): Promise<readonly OutputChunk[]> {
  const bundle = await rolldown({
    input: entries,
    platform: 'browser',
    tsconfig: false,
    resolve: { conditionNames: ['source', 'browser', 'import'] },
    transform: { target: 'es2024', define, jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [withoutNode, ...plugins],
    onLog(level, log) {
      if (log.code === 'INEFFECTIVE_DYNAMIC_IMPORT') return
      if (level === 'warn') throw new Error(log.message)
    },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    minify,
    comments: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'parts/[name]-[hash].js',
  })
  await bundle.close()
  const chunks = output.filter((file): file is OutputChunk => file.type === 'chunk')
  checkStart(chunks)
  return chunks
}

/** An import of a value of Node, at once. */
const NODE_IMPORT = /^(?:import|export) (?!type\b)[^'"]*from 'node:/m
const EXPORTED = /^export (?:async )?(?:function\*?|class|const|let) (\w+)/gm

/** Replaces files that need Node by ones of the same exports, which fail when they are loaded. */
const withoutNode: Plugin = {
  name: 'without-node',
  load(id) {
    if (!id.startsWith(packages)) return undefined
    const text = readFileSync(id, 'utf8')
    if (!NODE_IMPORT.test(text)) return undefined
    const names = [...text.matchAll(EXPORTED)].map(([, name]) => `export let ${name}\n`)
    const code = `${names.join('')}throw new Error(${JSON.stringify(`${relative(root, id)} ${NEEDS_NODE}`)})`
    return { code, moduleType: 'js', moduleSideEffects: true }
  },
}

/** Fails where an entry needs such a file before it can run. */
function checkStart(chunks: readonly OutputChunk[]): void {
  const started = new Set(chunks.filter(({ isEntry }) => isEntry))
  for (const chunk of started) {
    if (chunk.code.includes(NEEDS_NODE)) {
      const files = chunk.moduleIds.map((id) => relative(root, id)).join(', ')
      throw new Error(`a static import loads a file that needs Node. It is one of these: ${files}`)
    }
    for (const each of chunks) if (chunk.imports.includes(each.fileName)) started.add(each)
  }
}
