import { describe, expect, test } from 'vitest'
import { SimulatedClock } from '../clock/simulated-clock.ts'
import { findCondition, isConditionTrue, setCondition, type Condition } from './conditions.ts'

const before: readonly Condition[] = [
  {
    type: 'Available',
    status: 'False',
    lastTransitionTime: '2025-06-01T00:00:00Z',
    reason: 'Starting',
    message: 'wait',
  },
  {
    type: 'Healthy',
    status: 'True',
    lastTransitionTime: '2025-06-01T00:00:00Z',
    reason: 'Checked',
    message: '',
  },
]
const clock = new SimulatedClock({ start: '2026-01-01T12:00:00.900Z' })

describe('Setting a condition', () => {
  test('adds it at the end, with the time in whole seconds and an empty message', () => {
    const condition = { type: 'Ready', status: 'True', reason: 'Done' } as const
    const added = { ...condition, lastTransitionTime: '2026-01-01T12:00:00Z', message: '' }
    expect(setCondition(before, condition, clock)).toEqual([...before, added])
    expect(setCondition(undefined, condition, clock.now())).toEqual([added])
  })

  test('changes the time of transition when the status changes, in its place in the list', () => {
    const after = setCondition(before, { type: 'Available', status: 'True', reason: 'Up' }, clock)
    expect(after).toEqual([
      {
        type: 'Available',
        status: 'True',
        lastTransitionTime: '2026-01-01T12:00:00Z',
        reason: 'Up',
        message: '',
      },
      before[1],
    ])
  })

  test('keeps the time of transition while the status stays the same', () => {
    const condition = { type: 'Available', status: 'False', reason: 'Pulling', message: 'image' } as const
    const after = setCondition(before, { ...condition, observedGeneration: 3 }, clock)
    expect(after[0]).toEqual({
      ...condition,
      observedGeneration: 3,
      lastTransitionTime: '2025-06-01T00:00:00Z',
    })
  })

  test('uses the given time of transition where the status changes', () => {
    const given = { type: 'Available', reason: 'Up', lastTransitionTime: '2025-12-31T00:00:00Z' }
    expect(setCondition(before, { ...given, status: 'True' }, clock)[0]?.lastTransitionTime).toBe(
      '2025-12-31T00:00:00Z',
    )
    expect(setCondition(before, { ...given, status: 'False' }, clock)[0]?.lastTransitionTime).toBe(
      '2025-06-01T00:00:00Z',
    )
  })

  test('changes neither the given list nor its entries', () => {
    const copy = structuredClone(before)
    const after = setCondition(before, { type: 'Available', status: 'True', reason: 'Up' }, clock)
    for (const condition of after) condition.message = 'changed'
    expect(before).toEqual(copy)
  })
})

test('A condition is found by its type', () => {
  expect(findCondition(before, 'Healthy')).toBe(before[1])
  expect(findCondition(before, 'Ready')).toBeUndefined()
  expect(findCondition(undefined, 'Ready')).toBeUndefined()
})

test('A condition is true only where it exists and its status is True', () => {
  expect(isConditionTrue(before, 'Healthy')).toBe(true)
  expect(isConditionTrue(before, 'Available')).toBe(false)
  expect(isConditionTrue(undefined, 'Available')).toBe(false)
})
