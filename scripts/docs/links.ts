import { existsSync, statSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path/posix'
import type { SitePage } from './pages.ts'

const REPOSITORY = 'https://github.com/homeostat/homeostat'

/** Turns the links of the repository's Markdown into links of the site. */
export class Links {
  readonly #root: string
  readonly #pages: ReadonlyMap<string, SitePage>
  /** The pages that show a source: the English page first, then those of languages that have no translation of it. */
  readonly #pagesOf = new Map<string, SitePage[]>()

  constructor(root: string, pages: readonly SitePage[]) {
    this.#root = root
    this.#pages = new Map(pages.map((page) => [page.page, page]))
    for (const page of pages)
      this.#pagesOf.set(page.source, [...(this.#pagesOf.get(page.source) ?? []), page])
  }

  /**
   * The link in the site for a link in a page's source. A link to a file that is not a page of the site leads to the repository's
   * page of that file. Fails when there is no such file.
   */
  resolve(page: string, href: string): string {
    const from = this.#pages.get(page)
    if (!from || href.startsWith('#')) return href
    const [target = '', anchor] = href.split('#')
    const path = this.#pathInRepository(from.source, target)
    if (path === undefined) return href
    const file = join(this.#root, path)
    if (!existsSync(file)) throw new Error(`${from.source} links to ${href}, which does not exist`)
    const hash = anchor === undefined ? '' : `#${anchor}`
    const linked = this.#pagesOf.get(path) ?? this.#pagesOf.get(join(path, 'README.md'))
    if (!linked) return `${REPOSITORY}/${statSync(file).isDirectory() ? 'tree' : 'blob'}/main/${path}${hash}`
    const language = languageOf(page)
    const english = linked[0]?.page ?? ''
    // A translated page names the page that it means, a page in English knows of no other language.
    const translated = from.isUntranslated ? this.#pages.get(join(language, english)) : undefined
    const chosen = translated ?? linked.find((each) => languageOf(each.page) === language)
    return relative(dirname(page), chosen?.page ?? english) + hash
  }

  /** The address of a picture, which the site has under its path in the repository. */
  picture(page: string, src: string): string {
    const from = this.#pages.get(page)
    const path = from && this.#pathInRepository(from.source, src)
    return path === undefined ? src : `/${path}`
  }

  /** The file of the repository that a page is made of; a page of the reference has none. */
  sourceOf(page: string): string | undefined {
    return this.#pages.get(page)?.source
  }

  #pathInRepository(source: string, target: string): string | undefined {
    const absolute = new RegExp(`^${REPOSITORY}/(?:blob|tree)/main/(.+)$`).exec(target)?.[1]
    if (absolute !== undefined) return normalize(absolute).replace(/\/$/, '')
    if (/^[a-z]+:/.test(target)) return undefined
    return join(dirname(source), decodeURI(target)).replace(/\/$/, '')
  }
}

/** The languages folder of a page, or an empty text. */
function languageOf(page: string): string {
  return /^(zh-Hant|zh-Hans|ja)\//.exec(page)?.[1] ?? ''
}
