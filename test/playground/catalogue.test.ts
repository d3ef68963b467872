import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readCatalogue } from '../../docs/playground/build/catalogue.ts'

const guide = resolve(import.meta.dirname, '../../docs/guide')

it('every chapter of the guide that has a controller of its own has an example', () => {
  const examples = new Set(readCatalogue().examples.map(({ id }) => id))
  const chapters = readdirSync(guide).filter((file) => /^\d+-.+\.md$/.test(file))
  expect(chapters.length).toBeGreaterThan(17)
  const without = chapters.map((file) => file.replace('.md', '')).filter((chapter) => !examples.has(chapter))
  // They are about the trust in Pods, and a list of names.
  expect(without.toSorted()).toEqual(['11-trust', '15-names'])
  for (const chapter of without)
    expect(readFileSync(join(guide, `${chapter}.md`), 'utf8')).not.toMatch(/controller\('|defineKind\(/)
})
