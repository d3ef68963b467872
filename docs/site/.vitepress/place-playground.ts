import type { MarkdownRenderer } from 'vitepress'
import { mostAlike } from '../../../scripts/docs/most-alike.ts'

/** Puts the playground of a chapter below the code that its example continues. The page shows it at the top where it has no such code. */
export function placePlayground(md: MarkdownRenderer, examples: Readonly<Record<string, string>>): void {
  md.core.ruler.push('playground', (state) => {
    const chapter = chapterOf(state.env.relativePath)
    const example = chapter === undefined ? undefined : examples[chapter]
    if (example === undefined) return
    const blocks = state.tokens.filter(({ type }) => type === 'fence')
    const index = mostAlike(
      blocks.map(({ content }) => content),
      example,
    )
    const block = index === undefined ? undefined : blocks[index]
    if (!block) return
    const component = new state.Token('html_block', '', 0)
    component.content = '<TryIt />\n'
    state.tokens.splice(state.tokens.indexOf(block) + 1, 0, component)
    state.env.frontmatter = { ...state.env.frontmatter, hasPlaygroundInText: true }
  })
}

/** The chapter of the guide that a page of the site shows, in whatever language. */
export function chapterOf(page: string): string | undefined {
  return /(?:^|\/)guide\/([^/]+)\.md$/.exec(page)?.[1]
}
