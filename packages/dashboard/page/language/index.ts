/** The texts of the page in four languages. A language that lacks one does not compile. */
import { english } from './english.ts'
import { LANGUAGES, tagOf } from './languages.ts'
import type { Messages } from './messages.ts'

export { LANGUAGES } from './languages.ts'

const KEPT = 'homeostat-language'
let current = 'en'

/** The texts in the language of the page. */
export function texts(): Messages {
  return LANGUAGES[current]?.messages ?? english
}

export function language(): string {
  return current
}

/** Shows the page in a language from now on, also the next time. */
export function chooseLanguage(tag: string): void {
  localStorage.setItem(KEPT, tag)
  use(tag)
}

/** Takes the language that was chosen before, or else the first of the browser's that the page has. */
export function startLanguage(): void {
  const kept = localStorage.getItem(KEPT) ?? ''
  const wanted = [kept, ...navigator.languages.map(tagOf)]
  use(wanted.find((tag) => LANGUAGES[tag]) ?? 'en')
}

function use(tag: string): void {
  current = tag
  document.documentElement.lang = tag
}
