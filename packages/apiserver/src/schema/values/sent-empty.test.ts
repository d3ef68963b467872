import { parseJson } from '@homeostat/api'
import { expect, it } from 'vitest'
import { withBigInts } from './json.ts'
import { noteEmpty, wasSentEmpty } from './sent-empty.ts'

it('knows of a copy with other numbers what was sent empty', () => {
  const exact = parseJson('{"a":9007199254740993}') as Record<string, unknown>
  noteEmpty(exact, 'finalizers')
  const copy = withBigInts(exact)
  expect(copy).not.toBe(exact)
  expect(wasSentEmpty(copy, 'finalizers')).toBe(true)
  expect(wasSentEmpty(copy, 'labels')).toBe(false)
})
