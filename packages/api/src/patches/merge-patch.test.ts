import { describe, expect, test } from 'vitest'
import { SimulatedClock } from '../clock/index.ts'
import { deepEqual } from '../json/index.ts'
import { applyMergePatch, createMergePatch } from './merge-patch.ts'

describe('A merge patch', () => {
  // The cases of RFC 7386, appendix A.
  test.each<[unknown, unknown, unknown]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
    [{ a: 1 }, { a: undefined, b: 2 }, { a: 1, b: 2 }],
    // Kubernetes adds to the RFC: keys of null inside lists.
    [{}, { a: [{ b: null, c: [{ d: null, e: 1 }] }, null] }, { a: [{ c: [{ e: 1 }] }, null] }],
    [{ a: [1] }, { a: [{ b: null }] }, { a: [{}] }],
    [{ a: { c: 1 } }, { a: [{ b: null }] }, { a: [{ b: null }] }],
  ])('makes of %j with %j %j', (target, patch, expected) => {
    const before = JSON.stringify([target, patch])
    expect(applyMergePatch(target, patch)).toEqual(expected)
    expect(JSON.stringify([target, patch])).toBe(before)
  })

  test('shares nothing with what it was made from', () => {
    const target = { kept: { deep: [1] } }
    const patch = { added: { deep: [2] } }
    const result = applyMergePatch(target, patch) as typeof target & typeof patch
    result.kept.deep.push(0)
    result.added.deep.push(0)
    expect([target, patch]).toEqual([{ kept: { deep: [1] } }, { added: { deep: [2] } }])
  })

  test('takes __proto__ for a key like others', () => {
    const result = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}')) as object
    expect(Object.keys(result)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(result)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })
})

describe('The merge patch between two objects', () => {
  test.each<[object, object, object | undefined]>([
    [{ a: 1 }, { a: 1 }, undefined],
    [{ a: 1, b: undefined }, { a: 1, c: null }, undefined],
    [{ a: 1 }, { a: 2 }, { a: 2 }],
    [{ a: 1 }, {}, { a: null }],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { c: null } }],
    [{ a: { b: 1 } }, { a: { b: 1 } }, undefined],
    [{ a: { b: 1 } }, { a: [1] }, { a: [1] }],
    [{ a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    [{ a: 1 }, { a: null }, { a: null }],
  ])('from %j to %j is %j', (before, after, expected) => {
    expect(createMergePatch(before, after)).toEqual(expected)
  })

  test('turns one into the other, whatever they hold', () => {
    const clock = new SimulatedClock({ seed: 7 })
    for (let round = 0; round < 500; round++) {
      const [before, after] = [randomObject(clock, 4), randomObject(clock, 4)]
      const patch = createMergePatch(before, after)
      expect(deepEqual(applyMergePatch(before, patch ?? {}), after)).toBe(true)
      expect(createMergePatch(after, after)).toBeUndefined()
    }
  })
})

function randomObject(clock: { random(): number }, depth: number): object {
  const below = (limit: number) => Math.floor(clock.random() * limit)
  const value = (): unknown => {
    const kind = below(depth > 0 ? 6 : 4)
    if (kind === 0) return below(3)
    if (kind === 1) return ['', 'x', 'y'][below(3)]
    if (kind === 2) return below(2) === 0
    if (kind === 3) return Array.from({ length: below(3) }, () => below(3))
    return randomObject(clock, depth - 1)
  }
  const keys = ['a', 'b', 'c', 'd', '__proto__'].filter(() => below(2) === 0)
  return Object.fromEntries(keys.map((key) => [key, value()]))
}
