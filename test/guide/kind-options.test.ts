import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { GUIDE_FOLDER } from '../../scripts/guide/pages.ts'

const source = readFileSync(join(GUIDE_FOLDER, '../../packages/api/src/kinds/define-kind.ts'), 'utf8')
const [, definition = ''] = /optionNames<AnyDefinition>\('defineKind', \{([^}]*)\}/.exec(source) ?? []
const options = [...definition.matchAll(/(\w+): true/g)].map(([, name = '']) => name)

it.each(['', 'ja', 'zh-Hans', 'zh-Hant'])('the guide lists every option of defineKind: %s', (language) => {
  const page = readFileSync(join(GUIDE_FOLDER, language, '17-schemas.md'), 'utf8')
  const listed = page
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(options).toContain('scope')
  expect(options.filter((name) => !listed.includes(name))).toEqual([])
})
