import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './markdown.ts'

describe('rendering Markdown', () => {
  it('renders headings, emphasis, code, tables and links', () => {
    const html = renderMarkdown(
      '# A *b*\n\n`x < y` and [more](more.md "T")\n\n| a |\n|---|\n| 1 |\n\n```js\nif (a < b) {}\n```',
    )
    expect(html).toContain('<h1 id="a-b">A <em>b</em></h1>')
    expect(html).toContain('<code>x &lt; y</code>')
    expect(html).toContain('<a href="more.md" title="T">more</a>')
    expect(html).toContain('<td>1</td>')
    expect(html).toContain('if (a &lt; b) {}')
  })

  it('gives equal headings identities of their own', () => {
    expect(renderMarkdown('## Same\n\n## Same')).toMatch(/id="same".*id="same-1"/s)
  })

  it.each([
    '<script>alert(1)</script>',
    'text <script>alert(1)</script> text',
    '<img src=x onerror=alert(1)>',
    '<script>a <img src=x onerror=alert(1)//',
    '<div\n<img src=x onerror=alert(1)>',
    '<!-- --><svg onload=alert(1)>',
    '![a](x "\\"><img src=x onerror=alert(1)>")',
    '[a](x "\\" onmouseover=\\"alert(1)")',
    '[<img src=x onerror=alert(1)>](x)',
    '![<img src=x onerror=alert(1)>](javascript:1)',
    '```"><script>alert(1)</script>\ncode\n```',
    '| <script>alert(1)</script> |\n|---|\n| <svg onload=alert(1)> |',
    '# <script>alert(1)</script>',
    '<iframe srcdoc="<script>alert(1)</script>">',
    '`<script>`<script>alert(1)</script>',
  ])('leaves no element of the author in %j', (markdown) => {
    const html = renderMarkdown(markdown)
    expect(html).not.toMatch(/<(script|img|svg|iframe|div|style|object)\b(?! src="x" alt)/i)
    expect(html.replace(/="[^"]*"/g, '')).not.toMatch(/<[^>]*\son\w+/i)
  })

  it.each([
    '[a](javascript:alert(1))',
    '[a](JaVaScRiPt:alert(1))',
    '[a](java&#10;script:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](  javascript:alert(1))',
    '[a](<java\tscript:alert(1)>)',
    '[a](vbscript:x)',
    '[a](data:text/html,<script>alert(1)</script>)',
    '<javascript:alert(1)>',
    '[a][r]\n\n[r]: javascript:alert(1)',
    '[a](file:///etc/passwd)',
  ])('makes no link that runs anything of %j', (markdown) => {
    expect(targets(renderMarkdown(markdown))).not.toContainEqual(expect.not.stringMatching(/^http:/))
  })

  it.each([
    ['https://example.org/a?b=c&d', 'href="https://example.org/a?b=c&#38;d"'],
    ['mailto:a@example.org', 'href="mailto:a@example.org"'],
    ['../up.md#part', 'href="../up.md#part"'],
  ])('keeps a link to %s', (target, expected) => {
    expect(renderMarkdown(`[a](${target})`)).toContain(expected)
  })

  it.each([
    ['a block that does not end', '_a'.repeat(500_000)],
    ['lists in lists', Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n')],
    ['a page that does not end', 'a\n\n'.repeat(200_000)],
    ['a block of marks', '_a_'.repeat(3_000)],
    ['many blocks of marks', Array.from({ length: 26 }, () => '_a_'.repeat(490)).join('\n\n')],
    ['a page of short lines', '1. a\n'.repeat(1_900).concat('\n').repeat(10)],
  ])('shows %s as plain text instead of parsing it for minutes', (_, markdown) => {
    expect(renderMarkdown(markdown)).toMatch(/^<pre>/)
  })

  it('shows a long page of a book that a person wrote as a page', () => {
    const section = '## Part _one_\n\nSome **bold** text with `code` and a [link](x.md).\n\n* a\n* b\n* c\n\n'
    expect(renderMarkdown(section.repeat(1_000))).toMatch(/^<h2/)
  })

  it('shows Markdown that is nested too deeply as plain text', () => {
    expect(renderMarkdown('>'.repeat(20_000))).toMatch(/^<(pre|blockquote)>/)
  })
})

/** Where the links lead, as a browser reads them. */
function targets(html: string): string[] {
  return [...html.matchAll(/href="([^"]*)"/g)].map(([, href = '']) => {
    const decoded = href.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    return new URL(decoded, 'http://book.invalid/').href
  })
}
