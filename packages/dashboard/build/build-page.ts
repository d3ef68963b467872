import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = join(import.meta.dirname, '../page')

/** The style sheets, a view each, in the order in which they apply. */
const STYLES = [
  'base',
  'header',
  'layout',
  'timeline',
  'graph',
  'panel',
  'queue',
  'run',
  'object',
  'yaml',
  'editor',
  'story',
  'sign-in',
  'phone',
]

/** The files of the page, as a browser gets them, by name. */
export async function buildPage(): Promise<ReadonlyMap<string, Uint8Array>> {
  const bundle = await rolldown({
    input: join(folder, 'main.tsx'),
    platform: 'browser',
    tsconfig: false,
    resolve: { conditionNames: ['source', 'browser', 'import'] },
    transform: { target: 'es2022', jsx: { runtime: 'automatic', importSource: 'preact' } },
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, comments: false })
  await bundle.close()
  const [script] = output
  return new Map<string, Uint8Array>([
    ['page.js', Buffer.from(script.code)],
    ['page.css', Buffer.from(pageStyles())],
    ...['index.html', 'icon.svg'].map((name): [string, Uint8Array] => [
      name,
      readFileSync(join(folder, name)),
    ]),
    ['licenses.txt', Buffer.from(licenses())],
  ])
}

/** The style sheet of the page, also for a page that shows it as a part. */
export function pageStyles(): string {
  return STYLES.map(styleOf).join('\n')
}

function styleOf(name: string): string {
  return readFileSync(join(folder, `styles/${name}.css`), 'utf8')
}

/** The licenses of what is part of the script. */
function licenses(): string {
  const preact = join(dirname(createRequire(import.meta.url).resolve('preact')), '..')
  return `This page contains Preact.\n\n${readFileSync(join(preact, 'LICENSE'), 'utf8')}`
}
