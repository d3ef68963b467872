import { expect, it } from 'vitest'
import { toneOf } from '../../packages/dashboard/page/model/condition-tone.ts'

it.each([
  ['Available', 'True', 'good'],
  ['Available', 'False', 'bad'],
  ['Ready', 'Unknown', 'unknown'],
  ['ReplicaFailure', 'True', 'bad'],
  ['ReplicaFailure', 'False', 'good'],
  ['MemoryPressure', 'False', 'good'],
  ['NotReady', 'True', 'bad'],
  ['NotReady', 'False', 'good'],
  ['Notified', 'True', 'good'],
])('the condition %s: %s is %s', (type, status, tone) => {
  expect(toneOf({ type, status })).toBe(tone)
})
