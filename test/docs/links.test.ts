import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Links } from '../../scripts/docs/links.ts'
import { findPages } from '../../scripts/docs/pages.ts'

const root = resolve(import.meta.dirname, '../..')
const pages = findPages(root)
const links = new Links(root, pages)

describe('a link in a page of the documentation site', () => {
  it.each([
    ['guide/1-the-loop.md', '2-results.md', '2-results.md'],
    ['guide/1-the-loop.md', '12-more-tools.md#tsconfig', '12-more-tools.md#tsconfig'],
    ['index.md', 'docs/guide/README.md', 'guide/index.md'],
    ['index.md', 'docs/decisions', 'decisions/index.md'],
    ['index.md', 'packages/cli', 'packages/cli.md'],
    ['packages/cli.md', 'https://github.com/homeostat/homeostat/blob/main/SECURITY.md', '../security.md'],
    ['index.md', 'https://kubernetes.io/docs/', 'https://kubernetes.io/docs/'],
    ['index.md', '#how-it-compares', '#how-it-compares'],
    ['reference/homeostat.md', 'homeostat-kinds.md', 'homeostat-kinds.md'],
  ])('of %s to %s leads to %s', (page, href, expected) => {
    expect(links.resolve(page, href)).toBe(expected)
  })

  it('leads to the repository where the file is not a page', () => {
    const address = 'https://github.com/homeostat/homeostat'
    expect(links.resolve('architecture.md', 'scripts/layers.ts')).toBe(
      `${address}/blob/main/scripts/layers.ts`,
    )
    expect(links.resolve('index.md', 'examples')).toBe(`${address}/tree/main/examples`)
  })

  it.each([
    [
      'a translated page that names the English one',
      'ja/guide/1-the-loop.md',
      '../1-the-loop.md',
      '../../guide/1-the-loop.md',
    ],
    [
      'a translated page to one without a translation',
      'ja/guide/1-the-loop.md',
      '../../recipes/objects.md',
      '../recipes/objects.md',
    ],
    [
      'a page without a translation to one that has it',
      'ja/recipes/objects.md',
      '../guide/1-the-loop.md',
      '../guide/1-the-loop.md',
    ],
    ['a page without a translation to another', 'ja/recipes/objects.md', 'outside.md', 'outside.md'],
    ['the first page of a language', 'ja/index.md', 'docs/guide/README.md', 'guide/index.md'],
    ['the first page of a language to English', 'ja/index.md', 'README.md', '../index.md'],
  ])('stays in its language: %s', (_, page, href, expected) => {
    expect(links.resolve(page, href)).toBe(expected)
  })

  it('fails where there is no such file', () => {
    expect(() => links.resolve('index.md', 'docs/guide/0-none.md')).toThrow(
      'README.md links to docs/guide/0-none.md, which does not exist',
    )
    const absolute = 'https://github.com/homeostat/homeostat/blob/main/docs/none.md'
    expect(() => links.resolve('index.md', absolute)).toThrow('which does not exist')
  })
})

describe('the pages of the documentation site', () => {
  it('are the same in every language, with the English text where there is no translation', () => {
    const below = (folder: string): readonly string[] =>
      pages.filter(({ page }) => page.startsWith(folder)).map(({ page }) => page.slice(folder.length))
    const english = pages
      .map(({ page }) => page)
      .filter((page) => /^(index\.md|guide\/|recipes\/)/.test(page))
    expect(english.length).toBeGreaterThan(20)
    for (const folder of ['ja/', 'zh-Hans/', 'zh-Hant/']) expect(below(folder)).toEqual(english)
    const isUntranslated = (name: string) => pages.find(({ page }) => page === name)?.isUntranslated
    expect([isUntranslated('ja/guide/1-the-loop.md'), isUntranslated('ja/recipes/index.md')]).toEqual([
      false,
      true,
    ])
  })

  it('stand in the order of their numbers', () => {
    const chapters = pages
      .filter(({ page }) => /^guide\/\d/.test(page))
      .map(({ page }) => Number.parseInt(page.slice(6), 10))
    expect(chapters).toEqual(chapters.map((_, index) => index + 1))
  })
})
