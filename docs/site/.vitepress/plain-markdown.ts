import type { MarkdownRenderer } from 'vitepress'
import type { Links } from '../../../scripts/docs/links.ts'

/** The only tags that pages use; GitHub shows them as well. */
const TAGS = /^(?:\s|<!--[\s\S]*?-->|<\/?(?:details|summary|code|br)>|[^<>])*$/

/**
 * Reads the repository's Markdown as GitHub does: links lead to the pages of the site, and text is never a template or a component of
 * the site's framework.
 */
export function plainMarkdown(md: MarkdownRenderer, links: Links): void {
  const escape = (text: string): string => md.utils.escapeHtml(text).replaceAll('{', '&#123;')
  md.renderer.rules['text'] = (tokens, index) => escape(tokens[index]?.content ?? '')
  md.renderer.rules['code_inline'] = (tokens, index) => `<code>${escape(tokens[index]?.content ?? '')}</code>`
  md.core.ruler.push('repository', (state) => {
    const page: string = state.env.relativePath
    for (const block of state.tokens) {
      if (block.type === 'html_block' && !TAGS.test(block.content))
        block.content = `<p>${escape(block.content)}</p>`
      for (const token of block.children ?? []) {
        if (token.type === 'html_inline' && !TAGS.test(token.content)) token.type = 'text'
        if (token.type === 'link_open')
          token.attrSet('href', links.resolve(page, token.attrGet('href') ?? ''))
        if (token.type === 'image') token.attrSet('src', links.picture(page, token.attrGet('src') ?? ''))
      }
    }
  })
}
