import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { LANGUAGES } from './languages.ts'

/** A page of the site, made of a Markdown file of the repository. */
export interface SitePage {
  /** The page's file in the site: `guide/1-the-loop.md`, `ja/index.md`. */
  readonly page: string
  /** The file in the repository: `docs/guide/1-the-loop.md`. */
  readonly source: string
  /** Whether the page shows the English text because it has no translation. */
  readonly isUntranslated: boolean
  /** The first heading. */
  readonly title: string
}

/** Files outside of `docs/` and where they stand in the site. */
const PROJECT_PAGES = {
  'ARCHITECTURE.md': 'architecture.md',
  'CONTRIBUTING.md': 'contributing.md',
  'SECURITY.md': 'security.md',
  'CHANGELOG.md': 'changelog.md',
  'benchmarks/README.md': 'benchmarks.md',
  'docs/glossary.md': 'glossary.md',
  'docs/stream.md': 'stream.md',
}

/** All pages that are made of Markdown files. The pages of the API reference are made of the sources. */
export function findPages(root: string): readonly SitePage[] {
  const pages: SitePage[] = []
  const add = (page: string, source: string, isUntranslated = false): void => {
    pages.push({ page, source, isUntranslated, title: titleOf(root, source) })
  }
  const files = (pattern: string): readonly string[] => globSync(pattern, { cwd: root }).toSorted(byNumber)

  const translated = [...files('docs/guide/*.md'), ...files('docs/recipes/*.md')]
  for (const { folder } of LANGUAGES) {
    add(join(folder, 'index.md'), folder ? `README.${folder}.md` : 'README.md')
    for (const english of translated) {
      const page = join(folder, english.replace('docs/', '').replace('README.md', 'index.md'))
      const translation = english.replace(/([^/]+)$/, join(folder, '$1'))
      const isUntranslated = folder !== '' && !existsSync(join(root, translation))
      add(page, isUntranslated ? english : translation, isUntranslated)
    }
  }
  for (const [source, page] of Object.entries(PROJECT_PAGES)) add(page, source)
  for (const source of files('docs/decisions/*.md'))
    add(source.replace('docs/', '').replace('README.md', 'index.md'), source)
  for (const source of files('{packages,examples}/*/README.md'))
    add(source.replace('/README.md', '.md'), source)
  return pages
}

/** Chapter 2 before chapter 10, and the overview of a folder first. */
function byNumber(a: string, b: string): number {
  const rank = (file: string): number =>
    basename(file) === 'README.md' ? -1 : Number.parseInt(basename(file), 10) || 0
  return rank(a) - rank(b) || (a < b ? -1 : 1)
}

function titleOf(root: string, source: string): string {
  const text = readFileSync(join(root, source), 'utf8')
  const title = /^# (.+)$/m.exec(text)?.[1]
  if (!title) throw new Error(`${source} has no heading of the form "# Title"`)
  return title.replaceAll('`', '')
}
