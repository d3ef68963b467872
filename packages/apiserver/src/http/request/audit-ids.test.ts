import { SimulatedClock } from '@homeostat/api'
import { expect, it } from 'vitest'
import { auditIds } from './audit-ids.ts'

it('makes UUIDs that count the requests of a server', () => {
  const next = auditIds(new SimulatedClock())
  const first = next()
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-000000000001$/)
  for (let id = 2; id < 16; id++) next()
  expect(next()).toBe(first.replace(/1$/, '').replace(/0$/, '10'))
})

it('makes other ids on another server', () => {
  const clock = new SimulatedClock()
  expect(auditIds(clock)()).not.toBe(auditIds(clock)())
})

it('draws no random number for a request', () => {
  const [one, other] = [new SimulatedClock(), new SimulatedClock()]
  const next = auditIds(one)
  auditIds(other)
  next()
  expect(one.random()).toBe(other.random())
})
