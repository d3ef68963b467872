import { createHash } from 'node:crypto'
import type { Book } from './book.ts'
import { escapeHtml, renderMarkdown } from './markdown.ts'

/** Where a page asks whether the book has changed. */
export const VERSION_PATH = '/-/version'

/** The page asks once a second, and reloads when the book has another version. */
const FOLLOW = `(() => {
  const version = document.documentElement.dataset.version
  const later = window.setTimeout
  const look = async () => {
    try {
      const answer = await fetch('${VERSION_PATH}', { cache: 'no-store' })
      if (answer.ok && (await answer.text()) !== version) return location.reload()
    } catch {}
    later(look, 1000)
  }
  later(look, 1000)
})()`

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent) }
body { margin: 0; font: 17px/1.6 system-ui, sans-serif; display: grid; grid-template-columns: 15rem 1fr; min-height: 100vh }
nav { border-right: 1px solid var(--line); padding: 1.5rem 1rem }
nav a { display: block; padding: .2rem 0; color: inherit; text-decoration: none }
nav a:hover { text-decoration: underline }
nav a[aria-current] { font-weight: 600 }
main { padding: 1.5rem 2rem; max-width: 46rem; min-width: 0 }
pre, code { font: 0.9em/1.5 ui-monospace, monospace; background: var(--line); border-radius: 4px }
code { padding: .1em .3em }
pre { padding: .8em 1em; overflow-x: auto }
pre code { padding: 0; background: none }
table { border-collapse: collapse }
td, th { border: 1px solid var(--line); padding: .3em .7em }
blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--line) }
img { max-width: 100% }
@media (max-width: 40rem) { body { display: block } nav { border: 0; border-bottom: 1px solid var(--line) } }
`

/**
 * The content security policy of a page: this style, this script and no other, and from other sites only images. So
 * code that the rendering fails to remove does not run either.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  `script-src '${sourceHash(FOLLOW)}'`,
  `style-src '${sourceHash(STYLE)}'`,
  "connect-src 'self'",
  "img-src 'self' https: http:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** A chapter as a whole page, with the list of chapters beside it. */
export function bookPage(book: Book, file: string | undefined): string {
  const chapter = book.chapters.find((entry) => entry.file === file)
  const text = file === undefined ? undefined : book.pages.get(file)
  const content =
    text === undefined
      ? '<h1>An empty book</h1>\n<p>There is no Markdown here yet. The page follows when there is.</p>\n'
      : renderMarkdown(text)
  const links = book.chapters.map((entry) => {
    const current = entry.file === file ? ' aria-current="page"' : ''
    const indent = '&emsp;'.repeat(entry.depth)
    return `<a href="${escapeHtml(pathOf(entry.file))}"${current}>${indent}${escapeHtml(entry.title)}</a>`
  })
  return `<!doctype html>
<html lang="en" data-version="${book.version}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(chapter?.title ?? book.title)}</title>
<style>${STYLE}</style>
</head>
<body>
<nav>${links.join('\n')}</nav>
<main>
${content}</main>
<script>${FOLLOW}</script>
</body>
</html>
`
}

function pathOf(file: string): string {
  return `/${file.replace(/\.md$/, '.html').split('/').map(encodeURIComponent).join('/')}`
}

function sourceHash(source: string): string {
  return `sha256-${createHash('sha256').update(source).digest('base64')}`
}
