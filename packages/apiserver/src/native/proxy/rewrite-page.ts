/** The attributes that hold URLs, by the names of elements. */
const URL_ATTRIBUTES: Readonly<Record<string, readonly string[] | undefined>> = {
  a: ['href'],
  applet: ['codebase'],
  area: ['href'],
  audio: ['src'],
  base: ['href'],
  blockquote: ['cite'],
  body: ['background'],
  button: ['formaction'],
  command: ['icon'],
  del: ['cite'],
  embed: ['src'],
  form: ['action'],
  frame: ['longdesc', 'src'],
  head: ['profile'],
  html: ['manifest'],
  iframe: ['longdesc', 'src'],
  img: ['longdesc', 'src', 'usemap'],
  input: ['src', 'usemap', 'formaction'],
  ins: ['cite'],
  link: ['href'],
  object: ['classid', 'codebase', 'data', 'usemap'],
  q: ['cite'],
  script: ['src'],
  source: ['src'],
  video: ['poster', 'src'],
}

/** Elements whose content is text up to their end tag. */
const TEXT_ELEMENTS = new Set([
  'iframe',
  'noembed',
  'noframes',
  'plaintext',
  'script',
  'style',
  'textarea',
  'title',
  'xmp',
])

/** A comment, a declaration or an end tag, which stay as they are; or a start tag with its name. */
const MARKUP =
  /<!--[^]*?(?:-->|$)|<[!?][^>]*(?:>|$)|<\/[a-zA-Z][^>]*(?:>|$)|<([a-zA-Z][^\s/>]*)((?:[^>=]|=\s*(?:"[^"]*(?:"|$)|'[^']*(?:'|$)|(?!["'])))*)(?:>|$)/g
const ATTRIBUTE = /([^\s=/>"'][^\s=/>]*)(?:\s*=\s*(?:"([^"]*)"?|'([^']*)'?|([^\s>]+)))?/g

/** Rewrites the links of an HTML page. Start tags are normalized; the rest does not change. */
export function rewritePage(html: string, rewrite: (url: string) => string): string {
  let written = ''
  let at = 0
  const markup = new RegExp(MARKUP)
  for (let match = markup.exec(html); match; match = markup.exec(html)) {
    const [text, name = '', attributes = ''] = match
    written += html.slice(at, match.index)
    at = match.index + text.length
    if (name === '') {
      written += text
      continue
    }
    if (!text.endsWith('>')) {
      // An unclosed tag.
      at = html.length
      break
    }
    const element = name.toLowerCase()
    written += startTag(element, attributes, rewrite)
    if (TEXT_ELEMENTS.has(element) && !attributes.trimEnd().endsWith('/')) {
      const end = endOfText(html, element, at)
      written += html.slice(at, end)
      at = end
    }
    markup.lastIndex = at
  }
  return written + html.slice(at)
}

function endOfText(html: string, element: string, from: number): number {
  const end = new RegExp(`</${element}(?=[\\s/>])`, 'gi')
  end.lastIndex = from
  return end.exec(html)?.index ?? html.length
}

function startTag(element: string, text: string, rewrite: (url: string) => string): string {
  const withUrls = Object.hasOwn(URL_ATTRIBUTES, element) ? (URL_ATTRIBUTES[element] ?? []) : []
  const closed = text.trimEnd().endsWith('/') && !/=\s*[^\s"']*\/$/.test(text.trimEnd())
  const attributes = Array.from(text.matchAll(ATTRIBUTE), ([, key = '', double, single, bare]) => {
    const name = key.toLowerCase()
    const value = unescaped(double ?? single ?? bare ?? '')
    return ` ${name}="${escaped(withUrls.includes(name) ? rewrite(value) : value)}"`
  })
  return `<${element}${attributes.join('')}${closed ? '/>' : '>'}`
}

const NAMED: Readonly<Record<string, string | undefined>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}
/** Stands for the ampersand of a character reference that is kept as it was written. */
const KEPT = '\ue000'

function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7});|#[xX]([0-9a-fA-F]{1,6});|([a-zA-Z][a-zA-Z0-9]*);)/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined)
        return (Object.hasOwn(NAMED, name) ? NAMED[name] : undefined) ?? KEPT + whole.slice(1)
      const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : KEPT + whole.slice(1)
    },
  )
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&#34;'],
  ["'", '&#39;'],
  ['\r', '&#13;'],
  [KEPT, '&'],
])

function escaped(text: string): string {
  return text.replaceAll(new RegExp(`[&<>"'\\r${KEPT}]`, 'g'), (one) => ESCAPES.get(one) ?? one)
}
