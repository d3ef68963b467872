/** The texts of the playground in four languages. A language that lacks one does not compile. */
import { language } from '../../../../packages/dashboard/page/language/index.ts'
import { english } from './english.ts'
import { japanese } from './japanese.ts'
import type { Messages } from './messages.ts'
import { simplifiedChinese } from './simplified-chinese.ts'
import { traditionalChinese } from './traditional-chinese.ts'

const TEXTS: Readonly<Record<string, Messages | undefined>> = {
  en: english,
  ja: japanese,
  'zh-Hans': simplifiedChinese,
  'zh-Hant': traditionalChinese,
}

/** The texts in the language of the page, which is that of the operator's page in it. */
export function texts(): Messages {
  return TEXTS[language()] ?? english
}
