import { describe, expect, test } from 'vitest'
import { FieldSet } from './field-set.ts'
import { oneKeyElement, sortElements, type PathElement } from './path-element.ts'

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

describe('a set of parts', () => {
  const parts = (...names: string[]): Map<PathElement, FieldSet | undefined> =>
    new Map([
      ['f:list', FieldSet.ofNames(names)],
      ['f:scalar', undefined],
    ])

  test('is shared from the second time on, and encoded once', () => {
    const [first, second, third] = [1, 2, 3].map(() => FieldSet.ofParts(parts('once', 'again')))
    expect(second).not.toBe(first)
    expect(third).toBe(second)
    expect(third?.encode()).toBe(second?.encode())
    expect(third?.encode()).toEqual(first?.encode())
    expect(Object.isFrozen(third?.encode())).toBe(true)
    expect(() => third?.insert(['f:c'])).toThrow('a set that other sets share cannot be changed')
  })

  test('is not mistaken for one with other parts', () => {
    const sets = [1, 2].map(() => [
      FieldSet.ofParts(parts('a')),
      FieldSet.ofParts(parts('b')),
      FieldSet.ofParts(new Map([['f:list', FieldSet.ofNames(['a'])]])),
    ])
    for (const [one, other, less] of sets) {
      expect(one?.encode()).toEqual({ 'f:list': { '.': {}, 'f:a': {} }, 'f:scalar': {} })
      expect(other?.encode()).toEqual({ 'f:list': { '.': {}, 'f:b': {} }, 'f:scalar': {} })
      expect(less?.encode()).toEqual({ 'f:list': { '.': {}, 'f:a': {} } })
    }
  })

  test('is not shared if a part of it may still change, or its key would be long', () => {
    const open = new FieldSet()
    open.insert(['f:a'])
    for (const part of [open, FieldSet.ofNames(['x'.repeat(2_000)])]) {
      const [first, second] = [1, 2].map(() => FieldSet.ofParts(new Map([['f:list', part]])))
      second?.insert(['f:own'])
      expect(first?.has('f:own')).toBe(false)
    }
  })
})

test('elements with one key are told apart by their keys and the types of their values', () => {
  const texts = [
    oneKeyElement('name', 'a'),
    oneKeyElement('key', 'a'),
    oneKeyElement('name', 'a'),
    oneKeyElement('port', 1),
    oneKeyElement('port', '1'),
  ]
  expect(texts).toEqual([
    'k:{"name":"a"}',
    'k:{"key":"a"}',
    'k:{"name":"a"}',
    'k:{"port":1}',
    'k:{"port":"1"}',
  ])
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
