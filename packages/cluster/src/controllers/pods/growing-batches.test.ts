import { describe, expect, it } from 'vitest'
import { inGrowingBatches } from './growing-batches.ts'

describe('growing batches', () => {
  it('begin with one and double', async () => {
    const batches: number[][] = []
    let running: number[] = []
    await inGrowingBatches([1, 2, 3, 4, 5, 6, 7, 8], async (item) => {
      if (running.length === 0) batches.push(running)
      running.push(item)
      await Promise.resolve()
      running = []
    })
    expect(batches).toEqual([[1], [2, 3], [4, 5, 6, 7], [8]])
  })

  it('stop after a failure, when the rest of its batch is done', async () => {
    const done: number[] = []
    const work = inGrowingBatches([1, 2, 3, 4, 5], async (item) => {
      if (item === 2) throw new TypeError('two')
      await Promise.resolve()
      done.push(item)
    })
    await expect(work).rejects.toThrow('two')
    expect(done).toEqual([1, 3])
  })
})
