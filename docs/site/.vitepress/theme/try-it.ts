import { useData, withBase } from 'vitepress'
import { defineComponent, h, ref, watch } from 'vue'
import { LANGUAGES } from '../../../../scripts/docs/languages.ts'

/** The example of a chapter of the guide in the playground, which a reader opens in the chapter or as a page of its own. */
export const TryIt = defineComponent(() => {
  const { frontmatter, lang, page } = useData()
  const isOpen = ref(false)
  watch(
    () => page.value.relativePath,
    () => (isOpen.value = false),
  )
  return () => {
    const example: unknown = frontmatter.value['playground']
    const language = LANGUAGES.find((each) => each.lang === lang.value)
    if (typeof example !== 'string' || !language) return undefined
    const { words } = language
    const address = withBase(`/playground/?example=${example}&language=${language.lang}`)
    const toggle = (): void => void (isOpen.value = !isOpen.value)
    const button = { type: 'button', class: 'try-it', 'aria-expanded': isOpen.value, onClick: toggle }
    return h('div', { class: 'tried' }, [
      h('button', button, isOpen.value ? words.closeIt : words.tryIt),
      h('a', { href: address, target: '_self' }, words.tryItAlone),
      isOpen.value && h('iframe', { src: `${address}&embedded`, title: words.playground }),
    ])
  }
})

/** The same above a chapter that has no code which the example continues. */
export const TryItAbove = defineComponent(() => {
  const { frontmatter } = useData()
  return () => (frontmatter.value['hasPlaygroundInText'] === true ? undefined : h(TryIt))
})
