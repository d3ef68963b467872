import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLASSES } from '@homeostat/check'
import { expect, test } from 'vitest'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'

test('the guide has a section for each class of findings, to which reports link', () => {
  const page = readFileSync(join(GUIDE_FOLDER, '18-check.md'), 'utf8')
  const sections = Array.from(page.matchAll(/^## (.+)$/gm), ([, title]) => title)
  expect(new Set(sections)).toEqual(new Set(Object.keys(CLASSES)))
})
