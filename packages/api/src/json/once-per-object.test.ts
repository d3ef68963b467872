import { expect, test } from 'vitest'
import { oncePerObject } from './once-per-object.ts'

test('computes each result once, also one that is undefined', () => {
  let computed = 0
  const first = oncePerObject((list: readonly number[]) => {
    computed++
    return list[0]
  })
  const [some, none] = [[7], []]
  expect([first(some), first(some), first(none), first(none)]).toEqual([7, 7, undefined, undefined])
  expect(computed).toBe(2)
})

test('distinguishes equal objects', () => {
  const keysOf = oncePerObject((object: object) => Object.keys(object))
  expect(keysOf({ a: 1 })).not.toBe(keysOf({ a: 1 }))
})
