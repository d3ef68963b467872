import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'

const recorded = join(import.meta.dirname, 'recorded/controller-runtime-names.json')
const exported = JSON.parse(readFileSync(recorded, 'utf8')) as Record<string, string[]>

/** The names that the page compares, as `package: Name`. A row begins with its package in bold. */
function comparedNames(page: string): string[] {
  const text = readFileSync(join(GUIDE_FOLDER, page), 'utf8')
  return [...text.matchAll(/^\| \*\*`(.+?)`\*\* (.+?) \|/gm)].flatMap(([, name = '', names = '']) =>
    [...names.matchAll(/`(\w+)`/g)].map(([, one]) => `${name}: ${one}`),
  )
}

const all = Object.entries(exported).flatMap(([folder, names]) => {
  const name = folder === '.' ? 'controller-runtime' : folder.replace('pkg/', '')
  return names.map((one) => `${name}: ${one}`)
})

it.each(['', 'ja', 'zh-Hans', 'zh-Hant'])(
  'the page in %j compares every name that controller-runtime exports, once',
  (language) => {
    expect(all.length).toBeGreaterThan(400)
    expect(comparedNames(join(language, '13-coming-from-controller-runtime.md')).sort()).toEqual(all.sort())
  },
)
