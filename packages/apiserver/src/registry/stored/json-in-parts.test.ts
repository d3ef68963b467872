import { parseJson } from '@homeostat/api'
import { expect, test } from 'vitest'
import { atOnce } from '../../work/index.ts'
import { jsonInParts } from './json-in-parts.ts'

const LONG = 'x'.repeat(100_000)

test.each([
  {
    kind: 'A',
    metadata: { name: 'a', labels: { b: LONG }, uid: undefined },
    spec: [1, null],
    status: undefined,
  },
  { kind: LONG, metadata: null, 'a"b': { metadata: { name: LONG } }, spec: 1.5 },
  { metadata: [], spec: parseJson('{"exact":9007199254740993}') },
  {},
])('writes what JSON.stringify writes', (object) => {
  expect(atOnce(jsonInParts(object))).toBe(JSON.stringify(object))
})

test('has a part for each long field, also of the metadata', () => {
  const parts = jsonInParts({ metadata: { labels: { a: LONG }, annotations: { b: LONG } }, spec: LONG })
  let count = 1
  while (!parts.next().done) count++
  expect(count).toBeGreaterThanOrEqual(4)
})
