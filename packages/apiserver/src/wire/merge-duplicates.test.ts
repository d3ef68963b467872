import { expect, test } from 'vitest'
import { mergeDuplicates } from './merge-duplicates.ts'

// A kube-apiserver 1.36 leaves these of the data and metadata of a ConfigMap.
test.each([
  ['{"data":{"x":"1"},"data":{"y":"2"}}', { data: { x: '1', y: '2' } }],
  ['{"m":{"n":"b","l":{"q":"1"}},"m":{"l":{"a":"b"}}}', { m: { n: 'b', l: { q: '1', a: 'b' } } }],
  ['{"data":{"x":"1","x":"2"}}', { data: { x: '2' } }],
  ['{"a":"x","a":null,"b":{"c":1},"b":null}', { a: 'x', b: null }],
  ['{"a":[1,2],"a":[3]}', { a: [3] }],
  [
    String.raw` { "a" : [ { } , [ ] , "\"}," , -1.5e3 , true ] , "\u0061b" : false } `,
    { a: [{}, [], '"},', -1500, true], ab: false },
  ],
])('%s is read as %j', (text, value) => {
  expect(mergeDuplicates(text, JSON.parse)).toEqual(value)
})

test('a key named __proto__ is a key', () => {
  const value = mergeDuplicates('{"__proto__":{"a":1},"__proto__":{"b":2}}', JSON.parse)
  expect(JSON.stringify(value)).toBe('{"__proto__":{"a":1,"b":2}}')
})

test('a value that is nested too deep is refused, also where a later one replaces it', () => {
  const text = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)},"a":1}`
  expect(() => mergeDuplicates(text, JSON.parse)).toThrow('nested deeper than 1000 levels')
})
