import { describe, expect, it } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { createJsonPatch } from './create-json-patch.ts'
import { deepEqual } from '../json/index.ts'
import { applyJsonPatch } from './json-patch.ts'

describe('the JSON patch between two documents', () => {
  it.each<[what: string, before: unknown, after: unknown, patch: unknown]>([
    ['is empty where nothing differs', { a: 1, b: [1] }, { b: [1], a: 1 }, []],
    ['adds a key', { a: {} }, { a: { b: 1 } }, [{ op: 'add', path: '/a/b', value: 1 }]],
    [
      'adds a whole object once',
      {},
      { a: { b: { c: 1 } } },
      [{ op: 'add', path: '/a', value: { b: { c: 1 } } }],
    ],
    ['removes a key', { a: 1, b: 2 }, { b: 2 }, [{ op: 'remove', path: '/a' }]],
    ['replaces a value', { a: { b: 1 } }, { a: { b: 2 } }, [{ op: 'replace', path: '/a/b', value: 2 }]],
    ['counts a key of undefined as absent', { a: 1 }, { a: 1, b: undefined }, []],
    ['escapes keys', {}, { 'a/b~c': 1 }, [{ op: 'add', path: '/a~1b~0c', value: 1 }]],
    ['appends to a list', ['a', 'b'], ['a', 'b', 'c'], [{ op: 'add', path: '/2', value: 'c' }]],
    ['inserts into a list', ['a', 'c'], ['a', 'b', 'c'], [{ op: 'add', path: '/1', value: 'b' }]],
    ['removes from a list', ['a', 'b', 'c'], ['a', 'c'], [{ op: 'remove', path: '/1' }]],
    [
      'changes an item in its place',
      [{ name: 'a', image: 'x' }, { name: 'b' }],
      [{ name: 'a', image: 'y' }, { name: 'b' }],
      [{ op: 'replace', path: '/0/image', value: 'y' }],
    ],
    [
      'replaces a list where that is shorter',
      [1, 2, 3],
      [4, 5, 6],
      [{ op: 'replace', path: '', value: [4, 5, 6] }],
    ],
    ['replaces a list by an object', { a: [] }, { a: {} }, [{ op: 'replace', path: '/a', value: {} }]],
    ['takes null for a value', { a: 1 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
  ])('%s', (_, before, after, patch) => {
    expect(createJsonPatch(before, after)).toEqual(patch)
  })

  it('keeps a key named __proto__', () => {
    const after = JSON.parse('{"__proto__":{"a":1}}') as object
    expect(JSON.stringify(applyJsonPatch({}, createJsonPatch({}, after)))).toBe('{"__proto__":{"a":1}}')
  })

  it('makes the second document out of the first, for any two', () => {
    const clock = new SimulatedClock({ seed: 7 })
    const pick = (most: number): number => Math.floor(clock.random() * most)
    const value = (depth: number): unknown => {
      const choice = pick(depth > 3 ? 3 : 6)
      if (choice < 3) return [pick(3), `t${pick(3)}`, pick(2) === 0][choice]
      if (choice < 4) return Array.from({ length: pick(4) }, () => value(depth + 1))
      return Object.fromEntries(Array.from({ length: pick(4) }, () => [`k${pick(4)}`, value(depth + 1)]))
    }
    for (let round = 0; round < 2_000; round++) {
      const [before, after] = [{ a: value(0) }, { a: value(0) }]
      const patch = createJsonPatch(before, after)
      expect(deepEqual(applyJsonPatch(before, patch), after), JSON.stringify({ before, after, patch })).toBe(
        true,
      )
    }
  })
})
