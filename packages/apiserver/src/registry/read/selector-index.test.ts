import { matchesFields, matchesLabels, parseFieldSelector, parseLabelSelector } from '@homeostat/api'
import { expect, test } from 'vitest'
import { fieldMatcher, labelMatcher } from './selector-index.ts'

const PARTS = ['!b', 'a', 'a=1', 'a!=1', 'a in (1,2)', 'a notin (2,3)', 'a>1', 'a<3', 'b=x', 'b!=y', 'c']
const LABELS: readonly Readonly<Record<string, string>>[] = [
  {},
  ...['1', '2', '3', 'x', ''].flatMap((a): Record<string, string>[] => [
    { a },
    { a, b: 'x' },
    { a, b: 'y', c: '' },
  ]),
  { b: 'x' },
  JSON.parse('{"c":"z","constructor":"x"}') as Record<string, string>,
]

test('a label selector of many requirements matches the same objects as its requirements one by one', () => {
  for (let chosen = 0; chosen < 2 ** PARTS.length; chosen++) {
    const parts = PARTS.filter((_, index) => chosen & (1 << index))
    // Enough redundant requirements to use the index.
    const selector = parseLabelSelector([...parts, ...Array.from({ length: 9 }, () => 'z!=z')].join(','))
    const matches = labelMatcher(selector)
    for (const labels of LABELS) {
      expect([parts, labels, matches(labels)]).toEqual([parts, labels, matchesLabels(selector, labels)])
    }
  }
})

test('the narrowest of many bounds counts, and two different values exclude each other', () => {
  const bounds = labelMatcher(parseLabelSelector('a>1,a>3,a>2,a<10,a<8,a<9,a>0,a<11,a>1'))
  expect(['3', '4', '7', '8'].map((a) => bounds({ a }))).toEqual([false, true, true, false])
  const two = labelMatcher(parseLabelSelector(`a=1,a=2${',z!=z'.repeat(9)}`))
  expect(['1', '2'].map((a) => two({ a }))).toEqual([false, false])
})

test.each(['a=1', 'a!=1', 'a=1,a=2', 'a=1,a=1', 'a!=1,a!=2', 'a=1,b=2', 'a=1,b!=2', 'a=', 'a!='])(
  'the field selector %s matches the same objects as its requirements one by one',
  (text) => {
    const selector = parseFieldSelector(text)
    for (const fields of [{}, { a: '1' }, { a: '2' }, { a: '1', b: '2' }, { a: '1', b: '3' }]) {
      const read = (field: string): string => (fields as Record<string, string>)[field] ?? ''
      expect(fieldMatcher(selector)(read)).toBe(matchesFields(selector, fields))
    }
  },
)
