import { expect, it } from 'vitest'
import { compareVersions } from './resource-version.ts'

it.each<[string, string, 'older' | 'same' | 'newer' | 'unknown']>([
  ['9', '10', 'older'],
  ['10', '9', 'newer'],
  ['7', '7', 'same'],
  ['9007199254740993', '9007199254740992', 'newer'],
  ['0', '1', 'older'],
  ['opaque', '5', 'unknown'],
  ['5', '', 'unknown'],
  ['05', '6', 'unknown'],
  ['opaque', 'opaque', 'same'],
])('%s compared with %s is %s', (a, b, expected) => {
  const compared = compareVersions(a, b)
  const said = compared === undefined ? 'unknown' : compared < 0 ? 'older' : compared > 0 ? 'newer' : 'same'
  expect(said).toBe(expected)
})
