import { expect, it } from 'vitest'
import { changedMembers, differingTexts, jsonMembers } from './json-members.ts'

const object = {
  text: 'a "quoted" }{ ][ , \\ ü 🌍',
  '"key",{': 1,
  number: -2.5e3,
  word: null,
  list: [1, [{}], 'x,y', { a: ']' }],
  object: { list: [], text: '\\"' },
  empty: {},
}

it('each member of an object is cut out as it stands', () => {
  const members = jsonMembers(JSON.stringify(object))
  expect(members.size).toBe(Object.keys(object).length)
  for (const [name, value] of Object.entries(object)) {
    expect(members.get(JSON.stringify(name).slice(1, -1))).toBe(JSON.stringify(value))
  }
})

it('an empty object has none, and one that breaks off ends', () => {
  expect(jsonMembers('{}').size).toBe(0)
  const text = JSON.stringify(object)
  for (let length = 0; length < text.length; length++) jsonMembers(text.slice(0, length))
})

it.each([
  ['changed', { a: 1, b: [1], c: 'x' }, { a: 1, b: [2], c: 'xy' }, ['b', 'c']],
  ['added and removed', { a: 1, b: [1], c: 'x' }, { a: 1, b: [2], d: 'x' }, ['b', 'c', 'd']],
  ['added at the end', { a: 1 }, { a: 1, b: {} }, ['b']],
  ['removed at the end', { a: 1, b: {} }, { a: 1 }, ['b']],
  ['added to nothing', {}, { a: 1 }, ['a']],
  ['only moved', { a: 1, b: '"' }, { b: '"', a: 1 }, []],
  ['the same', object, object, []],
])('what was %s differs, and nothing else', (_, before, after, names) => {
  const differing = differingTexts(JSON.stringify(before), JSON.stringify(after))
  expect([...differing].toSorted()).toEqual(names)
  expect([...changedMembers(before, after)].toSorted()).toEqual(names)
})

it('texts that break off are compared to their end', () => {
  const text = JSON.stringify(object)
  for (let length = 0; length < text.length; length++) {
    expect(differingTexts(text.slice(0, length), text.slice(0, length)).size).toBe(0)
  }
})
