import { SimulatedClock } from '@homeostat/api'
import { expect, test } from 'vitest'
import { reconcileId } from './reconcile-id.ts'

test('an id of a reconcile is a random UUID that the clock decides', () => {
  const [clock, same] = [new SimulatedClock(), new SimulatedClock()]
  const first = reconcileId(clock)
  expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(reconcileId(same)).toBe(first)
  expect(reconcileId(clock)).not.toBe(first)
})
