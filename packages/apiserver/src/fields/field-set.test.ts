import { describe, expect, test } from 'vitest'
import { FieldSet } from './field-set.ts'
import { sortElements, type PathElement } from './path-element.ts'

describe('a set of names', () => {
  test('is the same for the same names, and is encoded once', () => {
    expect(FieldSet.ofNames(['a', 'b'])).toBe(FieldSet.ofNames(['a', 'b']))
    expect(FieldSet.ofNames(['b', 'a']).encode()).toEqual({ 'f:a': {}, 'f:b': {} })
  })

  test('is not mistaken for one whose names contain the separator', () => {
    FieldSet.ofNames(['x', 'y'])
    expect(FieldSet.ofNames(['x\0y']).paths()).toEqual([['f:x\0y']])
    expect(FieldSet.ofNames(['x\0y', 'z']).paths()).toEqual([['f:x\0y'], ['f:z']])
    expect(FieldSet.ofNames(['x', 'y\0z']).paths()).toEqual([['f:x'], ['f:y\0z']])
    expect(FieldSet.ofNames(['x', 'y', 'z']).paths()).toEqual([['f:x'], ['f:y'], ['f:z']])
  })

  test('cannot be changed, since other sets share it', () => {
    const set = FieldSet.ofNames(['a', 'b'])
    expect(() => set.insert(['f:c'])).toThrow('a set that other sets share cannot be changed')
    expect(() => set.graft(['f:a'], 'f:c', undefined)).toThrow(TypeError)
    expect(Object.isFrozen(set.encode())).toBe(true)
  })

  test('is encoded below a field that is a member, and below one that is not', () => {
    const set = new FieldSet()
    set.add('f:both', FieldSet.ofNames(['a', 'b']))
    set.insert(['f:one', 'f:a'])
    expect(set.encode()).toEqual({ 'f:both': { '.': {}, 'f:a': {}, 'f:b': {} }, 'f:one': { 'f:a': {} } })
  })
})

test.each<[string, PathElement[]]>([
  ['plain values', ['k:{"name":"a"}', 'k:{"name":"a-b"}', 'k:{"name":"ab"}', 'k:{"name":"b"}']],
  ['values with characters before the quote', ['k:{"name":"a"}', 'k:{"name":"a b"}', 'k:{"name":"a!"}']],
  ['values with escapes', ['k:{"name":"a"}', 'k:{"name":"a\\"b"}', 'k:{"name":"a\\\\b"}', 'k:{"name":"ab"}']],
  ['an empty value', ['k:{"name":""}', 'k:{"name":"#"}', 'k:{"name":"a"}']],
  ['numbers', ['k:{"port":9}', 'k:{"port":10}', 'k:{"port":100}']],
  ['several keys', ['k:{"a":"x","b":"y"}', 'k:{"a":"x","b":"z"}', 'k:{"a":"xx","b":"a"}']],
  ['more than a few', Array.from({ length: 30 }, (_, index): PathElement => `f:n${index + 10}`)],
])('steps are sorted by their values: %s', (_, sorted) => {
  expect(sortElements([...sorted].reverse())).toEqual(sorted)
  expect(sortElements([...sorted.slice(1), ...sorted.slice(0, 1)])).toEqual(sorted)
})

test('a set is within another one that has all of its members', () => {
  const a: PathElement[] = ['f:a']
  const ab: PathElement[] = ['f:a', 'f:b']
  const [upper, lower, both] = [FieldSet.of(a), FieldSet.of(ab), FieldSet.of(a, ab)]
  expect([upper.isWithin(both), lower.isWithin(both), both.isWithin(both)]).toEqual([true, true, true])
  expect([both.isWithin(upper), both.isWithin(lower)]).toEqual([false, false])
  expect([upper.isWithin(lower), lower.isWithin(upper)]).toEqual([false, false])
  expect([new FieldSet().isWithin(upper), upper.isWithin(new FieldSet())]).toEqual([true, false])
})
