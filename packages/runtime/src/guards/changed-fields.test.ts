import { expect, test } from 'vitest'
import { changedFields } from './changed-fields.ts'

const object = { metadata: { name: 'a', resourceVersion: '1' }, status: { n: 1, list: [{ a: 1 }, { a: 2 }] } }

test.each([
  [{ ...object, status: { ...object.status, n: 2 } }, ['status.n']],
  [{ ...object, status: { n: 1, list: [{ a: 1 }, { a: 3 }] } }, ['status.list[1].a']],
  [{ ...object, status: { n: 1, list: [{ a: 1 }] } }, ['status.list']],
  [{ ...object, status: undefined }, ['status']],
  [{ ...object, metadata: { name: 'a', resourceVersion: '2', managedFields: [] } }, []],
  [{ ...object, spec: {} }, ['spec']],
  [structuredClone(object), []],
])('%j differs in %j', (after, fields) => {
  expect(changedFields(object, after, 10)).toEqual(fields)
})

test('many fields are named up to a limit', () => {
  const after = { data: Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, index])) }
  expect(changedFields({ data: {} }, after, 3)).toEqual(['data.k0', 'data.k1', 'data.k2'])
})
