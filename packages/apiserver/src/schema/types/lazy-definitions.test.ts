import { expect, test, vi } from 'vitest'
import { lazyDefinitions } from './lazy-definitions.ts'

const TEXT = '"a.A":{"type":"object"}\n"a.B":{"type":"string"}'

test('a definition is parsed when it is looked at, once', () => {
  const parse = vi.spyOn(JSON, 'parse')
  const definitions = lazyDefinitions(TEXT)
  expect(parse).not.toHaveBeenCalled()
  const first = definitions['a.B']
  expect(first).toEqual({ type: 'string' })
  expect(definitions['a.B']).toBe(first)
  expect(parse).toHaveBeenCalledTimes(1)
  parse.mockRestore()
})

test('definitions can be listed like a plain object, and have no other names', () => {
  const definitions = lazyDefinitions(TEXT)
  expect(Object.keys(definitions)).toEqual(['a.A', 'a.B'])
  expect(Object.entries(definitions)).toEqual([
    ['a.A', { type: 'object' }],
    ['a.B', { type: 'string' }],
  ])
  expect('a.C' in definitions).toBe(false)
  expect(definitions['toString']).toBeUndefined()
  expect(() => Object.assign(definitions, { c: {} })).toThrow(TypeError)
})
