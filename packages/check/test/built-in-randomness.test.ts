import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { MachineWatch } from '../src/world/index.ts'

test('J15: functions that a module imports by name from Node.js are noted', () => {
  const before = randomUUID
  {
    using watch = new MachineWatch()
    randomUUID()
    expect(watch.uses.map(({ what }) => what)).toContain('randomUUID of node:crypto')
  }
  expect(randomUUID).toBe(before)
})
