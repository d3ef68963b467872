import { describe, expect, test } from 'vitest'
import { randomNames, withStableNames } from './random-names.ts'
import type { State } from './state.ts'

function stateOf(...objects: [name: string, content: object][]): State {
  return new Map(objects.map(([name, content]) => [name, { ...content }]))
}

describe('names that an operator chose at random', () => {
  const one = stateOf(
    ['Job default/nightly-a1', { data: 1 }],
    ['Task default/nightly', { job: 'nightly-a1' }],
  )
  const other = stateOf(
    ['Job default/nightly-b2', { data: 1 }],
    ['Task default/nightly', { job: 'nightly-b2' }],
  )

  test('J8: are those that two runs of one story name differently', () => {
    expect(randomNames(one, other)).toEqual([
      { prefix: 'Job default/nightly-', fixed: new Set(['Task default/nightly']) },
    ])
    expect(randomNames(one, one)).toEqual([])
  })

  test('J8: become numbers, also where another object mentions them', () => {
    const stable = withStableNames(one, randomNames(one, other))
    expect([...stable]).toEqual([
      ['Job default/nightly-<1>', { data: 1 }],
      ['Task default/nightly', { job: 'nightly-<1>' }],
    ])
  })

  test('J8: of another number of objects are not taken for the same ones', () => {
    const more = stateOf(['Job default/nightly-b2', {}], ['Job default/nightly-c3', {}])
    expect(randomNames(one, more)).toEqual([])
  })

  test('J8: get the number of the object that they are most like', () => {
    const names = randomNames(one, other)
    const two = stateOf(['Job default/nightly-a0', { data: 2 }], ['Job default/nightly-z9', { data: 1 }])
    expect([...withStableNames(two, names, withStableNames(one, names)).entries()]).toEqual([
      ['Job default/nightly-<1>', { data: 1 }],
      ['Job default/nightly-<2>', { data: 2 }],
    ])
  })
})
