import { LANGUAGES, type Language } from './languages.ts'
import type { SitePage } from './pages.ts'

/** A page of the API reference. */
export interface ReferencePage {
  readonly title: string
  readonly file: string
}

interface Item {
  readonly text: string
  readonly link: string
  /** Set where the link leads to a file that VitePress does not know as a page. */
  readonly target?: '_self'
}

interface Group {
  readonly text: string
  readonly collapsed?: boolean
  readonly items: readonly (Item | Group)[]
}

/** The links at the top and at the side of the pages of a language. */
export interface Navigation {
  readonly nav: readonly Item[]
  /** By the folder of the page. */
  readonly sidebar: Readonly<Record<string, readonly Group[]>>
}

const PROJECT = [
  'architecture.md',
  'contributing.md',
  'security.md',
  'changelog.md',
  'benchmarks.md',
  'stream.md',
]

/** The navigation of each language, by its folder. */
export function navigationOf(
  pages: readonly SitePage[],
  reference: readonly ReferencePage[],
): Readonly<Record<string, Navigation>> {
  return Object.fromEntries(
    LANGUAGES.map((language) => [language.folder, ofLanguage(language, pages, reference)]),
  )
}

function ofLanguage(
  { folder, words }: Language,
  pages: readonly SitePage[],
  reference: readonly ReferencePage[],
): Navigation {
  const prefix = folder && `${folder}/`
  const below = (part: string): readonly Item[] =>
    pages
      .filter(({ page }) => page.startsWith(part) && !page.endsWith('/index.md'))
      .map(({ page, title }) => ({ text: title, link: linkOf(page) }))
  const project = PROJECT.flatMap((each) => pages.filter(({ page }) => page === each)).map(
    ({ page, title }) => ({ text: title.replace(/:.*/, ''), link: linkOf(page) }),
  )
  const guide = { text: words.guide, link: `/${prefix}guide/` }
  const recipes = { text: words.recipes, link: `/${prefix}recipes/` }
  const address = `/playground/${folder && `?language=${folder}`}`
  const playground: Item = { text: words.playground, link: address, target: '_self' }
  const api = { text: words.reference, link: '/reference/' }
  const decisions = { text: words.decisions, link: '/decisions/' }
  const main: Group[] = [
    { text: words.guide, items: [{ text: words.home, link: `/${prefix}` }, ...below(`${prefix}guide/`)] },
    { text: words.recipes, items: [recipes, ...below(`${prefix}recipes/`)] },
    { text: words.packages, collapsed: true, items: [api, ...below('packages/')] },
    { text: words.examples, collapsed: true, items: below('examples/') },
    {
      text: words.project,
      collapsed: true,
      items: [...project, { text: words.glossary, link: '/glossary' }, decisions],
    },
  ]
  return {
    nav: [guide, playground, recipes, api],
    sidebar: {
      '/': main,
      '/reference/': [{ text: words.reference, items: ofReference(api, reference) }],
      '/decisions/': [{ text: words.decisions, items: [decisions, ...below('decisions/')] }],
    },
  }
}

/** The modules, each with its namespaces below it. */
function ofReference(overview: Item, pages: readonly ReferencePage[]): readonly (Item | Group)[] {
  const item = ({ title, file }: ReferencePage): Item => ({ text: title, link: `/reference/${file}` })
  const modules = pages.filter(({ title }) => !title.includes(':'))
  return [
    overview,
    ...modules.map((module) => {
      const namespaces = pages.filter(({ title }) => title.startsWith(`${module.title}: `))
      if (namespaces.length === 0) return item(module)
      const items = namespaces.map((each) => ({ ...item(each), text: each.title.replace(/.*: /, '') }))
      return { ...item(module), collapsed: true, items }
    }),
  ]
}

function linkOf(page: string): string {
  return `/${page.replace(/(^|\/)index\.md$/, '$1').replace(/\.md$/, '')}`
}
