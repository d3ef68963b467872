import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LANGUAGES, tagOf } from '../../packages/dashboard/page/language/languages.ts'

const root = join(import.meta.dirname, '../..')
/** The views of the page, and those of the playground around it. */
const folders = ['packages/dashboard/page/views', 'docs/playground/page']

/** Texts that stand in a view itself: between tags, or in an attribute that a user reads or hears. */
function ownTexts(source: string): string[] {
  const code = source.replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
  const between = [...code.matchAll(/(?<![=-])>([^<>{}()=;]*[A-Za-z]{2}[^<>{}()=;]*)<\/?[a-z]/g)]
  const attributes = [...code.matchAll(/\s(?:aria-label|aria-valuetext|title|placeholder|label)="([^"]+)"/g)]
  // A command and the name are the same in all languages.
  return [...between, ...attributes]
    .map(([, text = '']) => text.trim())
    .filter((text) => text !== '' && text !== 'Homeostat' && !text.startsWith('kubectl '))
}

it('no view has a text of its own', () => {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((file) => file.endsWith('.tsx'))
      .map((file) => join(folder, file)),
  )
  expect(files.length).toBeGreaterThan(15)
  const found = files.flatMap((file) =>
    ownTexts(readFileSync(join(root, file), 'utf8')).map((text) => `${file}: ${text}`),
  )
  expect(found).toEqual([])
})

it('finds a text that is not in the tables', () => {
  expect(ownTexts('<p class="a">Some words</p>')).toEqual(['Some words'])
  expect(ownTexts('<button title="Close it" />')).toEqual(['Close it'])
  expect(ownTexts('<p>{texts().a}</p>')).toEqual([])
})

it.each(Object.entries(LANGUAGES))('every text is written in %s', (tag, language) => {
  const entries = Object.entries(language?.messages ?? {})
  const english = LANGUAGES['en']?.messages ?? {}
  expect(entries.map(([name]) => name).toSorted()).toEqual(Object.keys(english).toSorted())
  if (tag === 'en') return
  // Words that at least one translation writes as English does.
  const same = new Set([
    'api',
    'yaml',
    'reconcileAt',
    'reconciles',
    'aReconcile',
    'reconcileId',
    'partOf',
    'operator',
  ])
  const untranslated = entries.filter(([name, text]) => {
    const shown = typeof text === 'function' ? Reflect.apply(text, undefined, ['1', '2', '3', '4']) : text
    return !same.has(name) && !/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(String(shown))
  })
  expect(untranslated.map(([name]) => name)).toEqual([])
})

it.each([
  ['en-GB', 'en'],
  ['ja-JP', 'ja'],
  ['zh', 'zh-Hans'],
  ['zh-CN', 'zh-Hans'],
  ['zh-TW', 'zh-Hant'],
  ['zh-Hant-HK', 'zh-Hant'],
  ['fr', 'fr'],
])('the browser language %s means %s', (given, tag) => {
  expect(tagOf(given)).toBe(tag)
})
