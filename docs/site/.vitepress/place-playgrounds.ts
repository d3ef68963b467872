import type { MarkdownRenderer } from 'vitepress'
import { placesOf, type ChapterExample } from '../../../scripts/docs/example-places.ts'

export type { ChapterExample }

/** Puts each example of a chapter below the code that it continues. The page shows its first one at the top where there is no such code. */
export function placePlaygrounds(md: MarkdownRenderer, examples: readonly ChapterExample[]): void {
  md.core.ruler.push('playground', (state) => {
    const chapter = chapterOf(state.env.relativePath)
    const blocks = state.tokens.filter(({ type }) => type === 'fence')
    const own = examples.filter((each) => each.chapter === chapter)
    for (const [index, id] of placesOf(
      blocks.map(({ content }) => content),
      own,
    )) {
      const block = blocks[index]
      if (!block) continue
      const component = new state.Token('html_block', '', 0)
      component.content = `<TryIt example="${id}" />\n`
      state.tokens.splice(state.tokens.indexOf(block) + 1, 0, component)
      if (id === chapter) state.env.frontmatter = { ...state.env.frontmatter, hasPlaygroundInText: true }
    }
  })
}

/** The chapter of the guide that a page of the site shows, in whatever language. */
export function chapterOf(page: string): string | undefined {
  return /(?:^|\/)guide\/([^/]+)\.md$/.exec(page)?.[1]
}
