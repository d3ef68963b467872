import { useData, withBase } from 'vitepress'
import { defineComponent, h } from 'vue'
import { LANGUAGES } from '../../../../scripts/docs/languages.ts'

/** A link from a chapter of the guide to its example in the playground. */
export const TryIt = defineComponent(() => {
  const { frontmatter, lang } = useData()
  return () => {
    const example: unknown = frontmatter.value['playground']
    const language = LANGUAGES.find((each) => each.lang === lang.value)
    if (typeof example !== 'string' || !language) return undefined
    const address = withBase(`/playground/?example=${example}&language=${language.lang}`)
    return h('a', { class: 'try-it', href: address, target: '_self' }, language.words.tryIt)
  }
})
