import { describe, expect, it } from 'vitest'
import { FairQueue, type QueueEntry } from './fair-queue.ts'

interface Named extends QueueEntry {
  readonly name: string
}

const pods = { a: {}, b: {} }
const runs = { a1: {}, a2: {}, b1: {} }

function taken(queue: FairQueue<Named>, count: number): string[] {
  return Array.from({ length: count }, () => queue.take()?.name ?? '-')
}

describe('a fair queue', () => {
  it('lets Pods take turns, however many entries one of them has', () => {
    const queue = new FairQueue<Named>()
    for (let index = 0; index < 200; index++) queue.add({ pod: pods.a, run: runs.a1, name: `a${index}` })
    queue.add({ pod: pods.b, run: runs.b1, name: 'b' })
    expect(taken(queue, 2)).toEqual(['a0', 'b'])
    queue.add({ pod: pods.b, run: runs.b1, name: 'b again' })
    expect(taken(queue, 3)).toEqual(['a1', 'b again', 'a2'])
    expect(queue.size).toBe(197)
  })

  it('lets the runs of a Pod take turns, and keeps the order within a run', () => {
    const queue = new FairQueue<Named>()
    for (const name of ['1', '2', '3']) queue.add({ pod: pods.a, run: runs.a1, name })
    queue.add({ pod: pods.a, run: runs.a2, name: 'exec' })
    expect(taken(queue, 5)).toEqual(['1', 'exec', '2', '3', '-'])
    expect(queue.size).toBe(0)
  })

  it('forgets what is deleted', () => {
    const queue = new FairQueue<Named>()
    const entry = { pod: pods.a, run: runs.a1, name: '1' }
    queue.add(entry)
    queue.delete(entry)
    queue.delete(entry)
    expect(queue.size).toBe(0)
    expect(queue.take()).toBeUndefined()
  })
})
