import { SimulatedClock } from '@homeostat/api'
import { expect, it } from 'vitest'
import { collectGarbage, returnMemoryWhenIdle, type ProcessMemory } from './return-memory.ts'

class Recorded implements ProcessMemory {
  used = 0
  heap = 10 * 2 ** 20
  collections = 0
  cpu(): number {
    return this.used
  }
  heapBytes(): number {
    return this.heap
  }
  collect(): void {
    this.collections++
  }
}

it('collects once when the process is idle', async () => {
  const clock = new SimulatedClock()
  const memory = new Recorded()
  using _wait = returnMemoryWhenIdle(clock, memory)
  for (let second = 0; second < 20; second++) {
    memory.used += 100
    await clock.advance(1_000)
  }
  expect(memory.collections).toBe(0)
  await clock.advance(10_000)
  expect(memory.collections).toBe(1)
  await clock.advance(60_000)
  expect(memory.collections).toBe(1)
})

it('leaves a large heap alone', async () => {
  const clock = new SimulatedClock()
  const memory = new Recorded()
  memory.heap = 2 ** 30
  using _wait = returnMemoryWhenIdle(clock, memory)
  await clock.advance(60_000)
  expect(memory.collections).toBe(0)
})

it('ends with the server', async () => {
  const clock = new SimulatedClock()
  const memory = new Recorded()
  returnMemoryWhenIdle(clock, memory)[Symbol.dispose]()
  await clock.advance(60_000)
  expect(memory.collections).toBe(0)
})

it('collects what nothing refers to', async () => {
  const reference = new WeakRef({ list: Array.from({ length: 1_000 }, (_, index) => ({ index })) })
  // A WeakRef holds its target until the end of the turn in which it was made.
  await new Promise(setImmediate)
  collectGarbage()
  expect(reference.deref()).toBeUndefined()
})
