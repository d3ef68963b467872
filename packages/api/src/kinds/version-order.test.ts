import { expect, test } from 'vitest'
import { compareKindVersions, versionSuffix } from './version-order.ts'

test('Versions are ranked as servers do: stable, beta, alpha, higher first, then other names', () => {
  const ranked = [
    'v10',
    'v2',
    'v1',
    'v11beta2',
    'v10beta3',
    'v3beta1',
    'v12alpha1',
    'v11alpha2',
    'foo1',
    'foo10',
  ]
  expect(ranked.toReversed().toSorted(compareKindVersions)).toEqual(ranked)
  expect(compareKindVersions('v1', 'v1')).toBe(0)
  expect(compareKindVersions('foo', 'foo')).toBe(0)
})

test.each([
  ['v1', 'V1'],
  ['v1beta1', 'V1Beta1'],
  ['v2alpha10', 'V2Alpha10'],
])('The version %s ends a name as %s', (version, suffix) => {
  expect(versionSuffix(version)).toBe(suffix)
})
