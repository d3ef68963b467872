import { expect, it } from 'vitest'
import { differingMembers, jsonMembers } from './json-members.ts'

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

it('what was changed, added or removed differs', () => {
  const [before, after] = [
    { a: 1, b: [1], c: 'x' },
    { a: 1, b: [2], d: 'x' },
  ].map((value) => jsonMembers(JSON.stringify(value)))
  expect([...differingMembers(before!, after!)].toSorted()).toEqual(['b', 'c', 'd'])
  expect(differingMembers(before!, before!).size).toBe(0)
})
