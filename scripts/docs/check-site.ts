import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'

/** The problems of a built site: dead links, and files that a page would load from elsewhere. */
export function checkSite(folder: string): readonly string[] {
  const pages = globSync('**/*.html', { cwd: folder }).toSorted()
  const ids = new Map<string, ReadonlySet<string>>()
  const idsOf = (page: string): ReadonlySet<string> => {
    const known = ids.get(page)
    if (known) return known
    const html = readFileSync(join(folder, page), 'utf8')
    const found = new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => decode(id ?? '')))
    ids.set(page, found)
    return found
  }
  const problems = pages.flatMap((page) => {
    const html = readFileSync(join(folder, page), 'utf8')
    return [...html.matchAll(/<(a|link|script|img|source|iframe|video|audio)\s([^>]*)>/g)].flatMap(
      ([, tag = '', attributes = '']) => {
        const target = /(?:^|\s)(?:href|src)="([^"]*)"/.exec(attributes)?.[1]
        const problem = target === undefined ? undefined : problemOf(page, tag, decode(target))
        return problem === undefined ? [] : [`${page}: ${problem}`]
      },
    )
  })
  return [...new Set(problems)]

  function problemOf(page: string, tag: string, target: string): string | undefined {
    if (/^(data|mailto):/.test(target)) return undefined
    if (/^([a-z]+:)?\/\//.test(target)) return tag === 'a' ? undefined : `<${tag}> loads ${target}`
    const [path = '', anchor = ''] = target.split('#')
    const linked = path === '' ? page : fileOf(page, path)
    if (linked === undefined) return `there is no ${target}`
    if (anchor === '' || !linked.endsWith('.html')) return undefined
    return idsOf(linked).has(decodeURIComponent(anchor))
      ? undefined
      : `there is no ${target}: no such heading`
  }

  /** The file that a server sends for an address. */
  function fileOf(page: string, path: string): string | undefined {
    const plain = decodeURIComponent(path.split('?')[0] ?? '')
    const file = plain.startsWith('/') ? plain.slice(1) : join(dirname(page), plain)
    const candidates = file === '' || file.endsWith('/') ? [`${file}index.html`] : [file, `${file}.html`]
    return candidates.find((each) => existsSync(join(folder, each)) && statSync(join(folder, each)).isFile())
  }
}

/** The character references that the generator writes in attributes. */
function decode(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
