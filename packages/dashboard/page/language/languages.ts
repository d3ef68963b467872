import { english } from './english.ts'
import { japanese } from './japanese.ts'
import type { Messages } from './messages.ts'
import { simplifiedChinese } from './simplified-chinese.ts'
import { traditionalChinese } from './traditional-chinese.ts'

/** The languages by the tag that a browser uses, each with its own name for itself. */
export const LANGUAGES: Readonly<
  Record<string, { readonly name: string; readonly messages: Messages } | undefined>
> = {
  en: { name: 'English', messages: english },
  ja: { name: '日本語', messages: japanese },
  'zh-Hans': { name: '简体中文', messages: simplifiedChinese },
  'zh-Hant': { name: '繁體中文', messages: traditionalChinese },
}

/** Chinese is written in two ways, which most browsers name by a region. */
export function tagOf(given: string): string {
  const [primary = '', ...rest] = given.split('-')
  if (primary.toLowerCase() !== 'zh') return primary.toLowerCase()
  return rest.some((part) => /^(hant|tw|hk|mo)$/i.test(part)) ? 'zh-Hant' : 'zh-Hans'
}
