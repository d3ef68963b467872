import { parseJson } from '@homeostat/api'
import { expect, it } from 'vitest'
import { withBigInts } from './json.ts'
import { forgetSentEmpty, noteEmpty, shownAsSent, wasSentEmpty } from './sent-empty.ts'

it('knows which lists were sent empty also for a copy with other numbers', () => {
  const exact = parseJson('{"a":9007199254740993}') as Record<string, unknown>
  noteEmpty(exact, 'finalizers')
  const copy = withBigInts(exact)
  expect(copy).not.toBe(exact)
  expect(wasSentEmpty(copy, 'finalizers')).toBe(true)
  expect(wasSentEmpty(copy, 'labels')).toBe(false)
})

it('shows a list as it was sent: with its items, empty, or null where it was not sent', () => {
  const object = { full: ['a'] }
  noteEmpty(object, 'empty')
  expect(['full', 'empty', 'absent'].map((name) => shownAsSent(object, name, []))).toEqual([['a'], [], null])
})

it('forgets what was sent empty anywhere in an object', () => {
  const rule = {}
  noteEmpty(rule, 'ports')
  forgetSentEmpty({ spec: { ingress: [null, rule] } })
  expect(wasSentEmpty(rule, 'ports')).toBe(false)
})
