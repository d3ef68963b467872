/** The texts of findings in the languages other than English. English is what a finding itself says. */
import { japanese } from './japanese.ts'
import type { FindingMessages } from './messages.ts'
import { simplifiedChinese } from './simplified-chinese.ts'
import { traditionalChinese } from './traditional-chinese.ts'

export type { FindingMessages } from './messages.ts'

/** By the tag of the language. */
export const FINDING_TEXTS: Readonly<Record<string, FindingMessages | undefined>> = {
  ja: japanese,
  'zh-Hans': simplifiedChinese,
  'zh-Hant': traditionalChinese,
}
