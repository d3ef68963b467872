import { useData, withBase } from 'vitepress'
import { defineComponent, h, ref, watch } from 'vue'
import { LANGUAGES } from '../../../../scripts/docs/languages.ts'

/** An example of a chapter of the guide in the playground, which a reader opens in the chapter or as a page of its own. */
export const TryIt = defineComponent(
  (props: { readonly example: string }) => {
    const { lang, page } = useData()
    const isOpen = ref(false)
    watch(
      () => page.value.relativePath,
      () => (isOpen.value = false),
    )
    return () => {
      const language = LANGUAGES.find((each) => each.lang === lang.value)
      if (!language) return undefined
      const { words } = language
      const address = withBase(`/playground/?example=${props.example}&language=${language.lang}`)
      const toggle = (): void => void (isOpen.value = !isOpen.value)
      const button = { type: 'button', class: 'try-it', 'aria-expanded': isOpen.value, onClick: toggle }
      return h('div', { class: 'tried' }, [
        h('button', button, isOpen.value ? words.closeIt : words.tryIt),
        h('a', { href: address, target: '_self' }, words.tryItAlone),
        isOpen.value && h('iframe', { src: `${address}&embedded`, title: words.playground }),
      ])
    }
  },
  { props: ['example'] },
)

/** The same above a chapter that has no code which the example continues. */
export const TryItAbove = defineComponent(() => {
  const { frontmatter } = useData()
  return () => {
    const { playground, hasPlaygroundInText } = frontmatter.value
    return typeof playground !== 'string' || hasPlaygroundInText === true
      ? undefined
      : h(TryIt, { example: playground })
  }
})
