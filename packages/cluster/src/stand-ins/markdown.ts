import { Marked } from 'marked'

/** Links go to the web, to a mail address, or to the book itself: everything else could be a program. */
const SAFE_SCHEMES = new Set(['http:', 'https:', 'mailto:'])

/** A longer or deeper page could keep the parser, and with it the whole process, busy for minutes. */
const LONGEST_PAGE = 262_144
const LONGEST_BLOCK = 10_000
const DEEPEST_INDENT = /^[ \t]{100}/m
const MOST_LINES = 10_000
/**
 * The characters of emphasis, links, code and quotes. The time to find their ends grows with the square of their
 * number.
 */
const MARKS = /[_*[\]`<>~&@!\\]/g
const MOST_MARKS = 20_000
const MOST_MARKS_IN_BLOCK = 1_500

/**
 * Renders untrusted Markdown. A page is shown as it was written if it is too long, is nested too deep, has
 * too many marks, or has a block that is too long without an empty line. Raw HTML is shown as text. A link or
 * an image whose scheme could run something is shown as its text alone.
 */
export function renderMarkdown(markdown: string): string {
  if (isTooMuch(markdown)) return asWritten(markdown)
  try {
    return marked().parse(markdown) as string
  } catch {
    // Too deeply nested for the parser: shows the source instead.
    return asWritten(markdown)
  }
}

function isTooMuch(markdown: string): boolean {
  if (markdown.length > LONGEST_PAGE || DEEPEST_INDENT.test(markdown)) return true
  if (markdown.split('\n', MOST_LINES + 1).length > MOST_LINES) return true
  let marks = 0
  for (const block of markdown.split(/\n[ \t\r]*\n/)) {
    if (block.length > LONGEST_BLOCK) return true
    // Bullets of a list are not emphasis.
    const inBlock = block.replace(/^[ \t]*[*+-] /gm, '').match(MARKS)?.length ?? 0
    marks += inBlock
    if (inBlock > MOST_MARKS_IN_BLOCK || marks > MOST_MARKS) return true
  }
  return false
}

function asWritten(markdown: string): string {
  return `<pre>${escapeHtml(markdown)}</pre>\n`
}

/** Text made safe for an element's content or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

function marked(): Marked {
  const slugs = new Map<string, number>()
  return new Marked({
    gfm: true,
    // Not recognising HTML at all leaves it as text, which is always escaped.
    tokenizer: { html: () => undefined, tag: () => undefined },
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${escapeHtml(slug(text, slugs))}">${this.parser.parseInline(tokens)}</h${depth}>\n`
      },
      link({ href, title, tokens }) {
        const text = this.parser.parseInline(tokens)
        const target = safeTarget(href)
        return target === undefined
          ? text
          : `<a href="${escapeHtml(target)}"${attribute('title', title)}>${text}</a>`
      },
      image({ href, title, text }) {
        const source = safeTarget(href)
        if (source === undefined || source.startsWith('mailto:')) return escapeHtml(text)
        return `<img src="${escapeHtml(source)}" alt="${escapeHtml(text)}"${attribute('title', title)}>`
      },
    },
  })
}

function attribute(name: string, value: string | null | undefined): string {
  return value ? ` ${name}="${escapeHtml(value)}"` : ''
}

/** The target as a browser will read it, or `undefined` where that is not safe. */
function safeTarget(href: string): string | undefined {
  // Browsers drop these before they look for a scheme: `java\nscript:` is one.
  // oxlint-disable-next-line no-control-regex
  const target = href.replace(/[\u0000-\u0020\u007f-\u009f]/g, (character) =>
    character === ' ' ? '%20' : '',
  )
  try {
    return SAFE_SCHEMES.has(new URL(target, 'http://book.invalid/').protocol) ? target : undefined
  } catch {
    return undefined
  }
}

/** The identity that a heading gets, as mdbook makes it: unique within the page. */
function slug(text: string, taken: Map<string, number>): string {
  const base =
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s+/g, '-') || 'section'
  const count = taken.get(base) ?? 0
  taken.set(base, count + 1)
  return count === 0 ? base : `${base}-${count}`
}
