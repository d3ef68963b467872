import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig, type DefaultTheme, type LocaleConfig, type MarkdownOptions } from 'vitepress'
import { LANGUAGES, type Language } from '../../../scripts/docs/languages.ts'
import { Links } from '../../../scripts/docs/links.ts'
import type { Navigation } from '../../../scripts/docs/navigation.ts'
import type { SitePage } from '../../../scripts/docs/pages.ts'
import { chapterOf, placePlaygrounds, type ChapterExample } from './place-playgrounds.ts'
import { plainMarkdown } from './plain-markdown.ts'
import { linkNames, type DescribedName } from './link-names.ts'
import { searchWords } from './search-words.ts'
import { slugOf } from './slug.ts'

interface Site {
  readonly root: string
  readonly pages: readonly SitePage[]
  readonly navigation: Readonly<Record<string, Navigation>>
  readonly names: readonly DescribedName[]
  readonly examples: readonly ChapterExample[]
}

const site: Site = JSON.parse(readFileSync(join(resolve('generated'), 'site.json'), 'utf8'))
const EDIT_ADDRESS = 'https://github.com/homeostat/homeostat/edit/main/:path'
const links = new Links(site.root, site.pages)

const markdown: MarkdownOptions = {
  // The usual braces of attributes also occur in prose.
  attrs: { leftDelimiter: '{:', rightDelimiter: ':}', allowedAttributes: ['id'] },
  anchor: { slugify: slugOf },
  config: (md) => {
    plainMarkdown(md, links)
    placePlaygrounds(md, site.examples)
  },
  codeTransformers: [linkNames(site.names)],
}

function themeOf({ folder, words }: Language): DefaultTheme.Config {
  const { nav, sidebar } = site.navigation[folder] ?? { nav: [], sidebar: {} }
  return {
    nav: [...nav],
    sidebar: sidebar as DefaultTheme.SidebarMulti,
    editLink: { pattern: EDIT_ADDRESS, text: words.edit },
    outline: { level: [2, 3], label: words.onThisPage },
    docFooter: { prev: words.previous, next: words.next },
    sidebarMenuLabel: words.menu,
    returnToTopLabel: words.top,
    langMenuLabel: words.languages,
    darkModeSwitchLabel: words.appearance,
  }
}

function localeOf(language: Language): LocaleConfig<DefaultTheme.Config>[string] {
  const { folder, label, lang } = language
  return { label, lang, ...(folder && { link: `/${folder}/` }), themeConfig: themeOf(language) }
}

function searchLocaleOf({ words }: Language): Partial<DefaultTheme.LocalSearchOptions> {
  return {
    translations: {
      button: { buttonText: words.search, buttonAriaLabel: words.search },
      modal: {
        noResultsText: words.noResults,
        resetButtonTitle: words.reset,
        footer: { selectText: words.select, navigateText: words.navigate, closeText: words.close },
      },
    },
  }
}

const nameOf = ({ folder }: Language): string => folder || 'root'

export default defineConfig({
  title: 'Homeostat',
  description: 'The controller-runtime for TypeScript, and the Kubernetes to run it on',
  srcDir: 'generated/pages',
  outDir: 'dist',
  cacheDir: 'node_modules/.vitepress',
  cleanUrls: true,
  // The navigation of all languages is one file, not a part of every page.
  metaChunk: true,
  ignoreDeadLinks: false,
  markdown,
  transformPageData(page) {
    const source = links.sourceOf(page.relativePath)
    if (source === undefined) page.frontmatter['editLink'] = false
    else page.filePath = source
    const chapter = chapterOf(page.relativePath)
    if (site.examples.some(({ id }) => id === chapter)) page.frontmatter['playground'] = chapter
  },
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  locales: Object.fromEntries(LANGUAGES.map((language) => [nameOf(language), localeOf(language)])),
  // Long pages of the reference are loaded one at a time.
  vite: { build: { chunkSizeWarningLimit: 4_000 } },
  themeConfig: {
    // Not every page has its like in every language, so the menu leads to the first page of a language.
    i18nRouting: false,
    socialLinks: [{ icon: 'github', link: 'https://github.com/homeostat/homeostat' }],
    search: {
      provider: 'local',
      options: {
        locales: Object.fromEntries(
          LANGUAGES.map((language) => [nameOf(language), searchLocaleOf(language)]),
        ),
        miniSearch: { options: { tokenize: searchWords } },
      },
    },
  },
})
