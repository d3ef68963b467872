import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CLASSES } from '@homeostat/check'
import { expect, test } from 'vitest'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'

/** No reconciler is wrong there: the operator cannot be checked. */
const WITHOUT_CODE: readonly string[] = ['check-failed']

test.for(['', 'zh-Hans', 'zh-Hant', 'ja'])(
  'the guide has a section for each class of findings, with a wrong and a right reconciler that are run: %s',
  (language) => {
    const page = readFileSync(join(GUIDE_FOLDER, language, '18-check.md'), 'utf8')
    const [, ...sections] = page.split(/^## /m)
    const titles = sections.map((section) => section.split('\n')[0])
    expect(new Set(titles)).toEqual(new Set(Object.keys(CLASSES)))
    const withoutCode = sections.filter(
      (section) => !/<!-- from code\/\S+-wrong -->[^]*<!-- from code\/\S+-right -->/.test(section),
    )
    expect(withoutCode.map((section) => section.split('\n')[0])).toEqual(WITHOUT_CODE)
  },
)
