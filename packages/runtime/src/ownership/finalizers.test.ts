import { expect, test } from 'vitest'
import { addFinalizer, containsFinalizer, removeFinalizer, type Finalizable } from './finalizers.ts'

test('a finalizer is added once, found, and removed once; others stay', () => {
  const object: Finalizable = { metadata: { finalizers: ['other'] } }
  expect(containsFinalizer(object, 'mine')).toBe(false)
  expect([addFinalizer(object, 'mine'), addFinalizer(object, 'mine')]).toEqual([true, false])
  expect(object.metadata.finalizers).toEqual(['other', 'mine'])
  expect([removeFinalizer(object, 'mine'), removeFinalizer(object, 'mine')]).toEqual([true, false])
  expect(object.metadata.finalizers).toEqual(['other'])
})

test('a list that others hold is not changed', () => {
  const finalizers = Object.freeze(['other'])
  const object: Finalizable = { metadata: { finalizers } }
  addFinalizer(object, 'mine')
  expect(finalizers).toEqual(['other'])
})

test('an object without finalizers has none', () => {
  const object: Finalizable = { metadata: {} }
  expect(removeFinalizer(object, 'mine')).toBe(false)
  expect(addFinalizer(object, 'mine')).toBe(true)
})
