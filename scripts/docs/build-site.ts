import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { buildPlayground } from '../../docs/playground/build/build-playground.ts'
import { readCatalogue } from '../../docs/playground/build/catalogue.ts'
import { installFolder } from '../install-folder.ts'
import { checkSite } from './check-site.ts'
import { LANGUAGES } from './languages.ts'
import { navigationOf } from './navigation.ts'
import { findPages, type SitePage } from './pages.ts'

const root = resolve(import.meta.dirname, '../..')
const site = join(root, 'docs', 'site')
/** The folder of intermediate files, which VitePress reads. */
const generated = join(site, 'generated')
/** The built site. */
export const SITE_FOLDER = join(site, 'dist')

/** A step of the build failed. Its own output says why, or the message does. */
export class SiteError extends Error {}

/** Installs the generator where that is needed, and builds the site. */
export async function buildSite(): Promise<void> {
  if (installFolder('docs/site') !== 0)
    throw new SiteError('npm could not install the generator of the site; its output says why.')
  rmSync(generated, { recursive: true, force: true })
  const reference = join(generated, 'pages', 'reference')
  runNode('The API reference', [join('reference', 'main.ts'), reference])
  const { pages: referencePages, names } = JSON.parse(readFileSync(join(reference, 'names.json'), 'utf8'))
  const pages = findPages(root)
  for (const page of pages) writePage(page)
  cpSync(join(root, 'docs', 'demo.svg'), join(generated, 'pages', 'public', 'docs', 'demo.svg'))
  cpSync(join(root, 'docs', 'pictures'), join(generated, 'pages', 'public', 'docs', 'pictures'), {
    recursive: true,
  })
  await writePlayground()
  const examples = readCatalogue().examples.flatMap(({ id, chapter, files }) =>
    chapter === undefined ? [] : [{ id, chapter, code: files['controller.ts'] }],
  )
  const navigation = navigationOf(pages, referencePages)
  writeFileSync(join(generated, 'site.json'), JSON.stringify({ root, pages, navigation, names, examples }))
  runNode('Type check', [join('node_modules', 'typescript', 'bin', 'tsc'), '--noEmit'])
  runNode('VitePress', [join('node_modules', 'vitepress', 'bin', 'vitepress.js'), 'build'])
  const problems = checkSite(SITE_FOLDER)
  if (problems.length > 0) throw new SiteError(`The site has dead links:\n${problems.join('\n')}`)
}

async function writePlayground(): Promise<void> {
  for (const [name, content] of await buildPlayground()) {
    const file = join(generated, 'pages', 'public', 'playground', name)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}

function runNode(what: string, args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { cwd: site, stdio: 'inherit' })
  if (status !== 0) throw new SiteError(`${what} failed; the output above says why.`)
}

function writePage({ page, source, isUntranslated }: SitePage): void {
  const file = join(generated, 'pages', page)
  const text = readFileSync(join(root, source), 'utf8')
  mkdirSync(dirname(file), { recursive: true })
  const language = LANGUAGES.find(({ folder }) => folder !== '' && page.startsWith(`${folder}/`))
  writeFileSync(file, isUntranslated && language ? noticed(text, language.words.untranslated) : text)
}

/** The text with a notice below its first heading. */
function noticed(text: string, notice: string): string {
  return text.replace(/^# .+$/m, (heading) => `${heading}\n\n> ${notice}`)
}
