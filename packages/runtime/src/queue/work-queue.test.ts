import { SimulatedClock } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import { TokenBucket } from './token-bucket.ts'
import type { WorkItem } from './queue-entry.ts'
import { WorkQueue } from './work-queue.ts'

function setUp(options: { maxCauses?: number; budget?: TokenBucket } = {}) {
  const clock = new SimulatedClock()
  const queue = new WorkQueue<string>({ clock, ...options })
  /** Takes and finishes everything that is ready. */
  const takeAll = (): string[] => {
    const keys: string[] = []
    for (let item = queue.tryGet(); item; item = queue.tryGet()) {
      keys.push(item.key)
      queue.done(item)
    }
    return keys
  }
  return { clock, queue, takeAll }
}

describe('keys', () => {
  test('Q1: a key added many times while it waits is handed out once', () => {
    const { queue, takeAll } = setUp()
    for (let time = 0; time < 5; time++) queue.add('a')
    expect(takeAll()).toEqual(['a'])
  })

  test('Q2, Q3: a key added while it runs is handed out once more, after it is done', () => {
    const { queue } = setUp()
    queue.add('a')
    const first = queue.tryGet()!
    queue.add('a')
    queue.add('a')
    expect(queue.tryGet()).toBeUndefined()
    queue.done(first)
    const second = queue.tryGet()!
    expect(second.key).toBe('a')
    queue.done(second)
    expect(queue.tryGet()).toBeUndefined()
  })

  test('Q4: a second done with the same item does not free the key that another worker has by then', () => {
    const { queue } = setUp()
    queue.add('a')
    const first = queue.tryGet()!
    queue.add('a')
    queue.done(first)
    queue.tryGet()
    queue.add('a')
    queue.done(first)
    expect(queue.tryGet()).toBeUndefined()
  })

  test('Q5: a hundred thousand keys that came and went leave nothing behind', () => {
    const { queue, takeAll } = setUp()
    for (let index = 0; index < 100_000; index++)
      queue.add(`key-${index}`, { priority: index % 7, cause: 'x' })
    expect(takeAll()).toHaveLength(100_000)
    expect([queue.size, queue.depth, queue.delayed, queue.running.length]).toEqual([0, 0, 0, 0])
  })
})

describe('order', () => {
  test('Q6: higher priorities go first, and within one the key that has been ready longest', () => {
    const { queue, takeAll } = setUp()
    queue.add('low', { priority: -100 })
    queue.add('first')
    queue.add('urgent', { priority: 5 })
    queue.add('second')
    expect(takeAll()).toEqual(['urgent', 'first', 'second', 'low'])
  })

  test('Q7: a key that is added again keeps the higher priority, whichever came first', () => {
    const { queue, takeAll } = setUp()
    queue.add('other')
    queue.add('rises', { priority: -100 })
    queue.add('rises', { priority: 1 })
    queue.add('stays', { priority: 1 })
    queue.add('stays', { priority: -100 })
    expect(takeAll()).toEqual(['rises', 'stays', 'other'])
  })

  test('Q7: a priority given while the key is delayed counts when the delay is over', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.addAfter('a', 10, { priority: -1 })
    queue.addAfter('a', 20, { priority: 3 })
    await clock.advance(10)
    queue.add('b', { priority: 2 })
    expect(takeAll()).toEqual(['a', 'b'])
  })

  test('Q8: the worker that waited first is served first', async () => {
    const { queue } = setUp()
    const got: string[] = []
    const waiting = ['one', 'two'].map(async (name) => {
      const item = await queue.get()
      got.push(`${name}: ${item?.key}`)
    })
    queue.add('a')
    queue.add('b')
    await Promise.all(waiting)
    expect(got).toEqual(['one: a', 'two: b'])
  })
})

describe('time', () => {
  test('Q9: a delay is exact to the millisecond', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.addAfter('a', 1000)
    await clock.advance(999)
    expect(takeAll()).toEqual([])
    await clock.advance(1)
    expect(takeAll()).toEqual(['a'])
  })

  test('Q9: a delay of three months is exact as well', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.addAfter('a', 90 * 24 * 3_600_000)
    await clock.advance(90 * 24 * 3_600_000 - 1)
    expect(takeAll()).toEqual([])
    await clock.advance(1)
    expect(takeAll()).toEqual(['a'])
  })

  test('Q9: keys due at the same time become ready in the order in which they were added', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.addAfter('b', 10)
    await clock.advance(4)
    queue.addAfter('a', 6)
    queue.addAfter('c', 5)
    await clock.advance(6)
    expect(takeAll()).toEqual(['c', 'b', 'a'])
  })

  test('Q9: a delay that is not positive means at once', () => {
    const { queue, takeAll } = setUp()
    queue.addAfter('a', 0)
    queue.addAfter('b', -5)
    expect(takeAll()).toEqual(['a', 'b'])
  })

  test('Q10: the earlier time counts, whichever was given first', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.addAfter('a', 100)
    queue.addAfter('a', 10)
    queue.addAfter('b', 10)
    queue.addAfter('b', 100)
    queue.addAfter('c', 100)
    queue.add('c')
    expect(takeAll()).toEqual(['c'])
    await clock.advance(10)
    expect(takeAll()).toEqual(['a', 'b'])
    await clock.advance(1000)
    expect(takeAll()).toEqual([])
  })

  test('Q11: a delay that ends while the key runs makes it ready as soon as it is done', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.add('a')
    const item = queue.tryGet()!
    queue.addAfter('a', 10)
    await clock.advance(50)
    expect(takeAll()).toEqual([])
    queue.done(item)
    expect(takeAll()).toEqual(['a'])
  })

  test('Q11: a delay that was added while the key ran counts from the time of the add', async () => {
    const { clock, queue, takeAll } = setUp()
    queue.add('a')
    const item = queue.tryGet()!
    queue.addAfter('a', 10)
    await clock.advance(4)
    queue.done(item)
    await clock.advance(5)
    expect(takeAll()).toEqual([])
    await clock.advance(1)
    expect(takeAll()).toEqual(['a'])
  })

  test('Q12: a queue sets one timer for all its keys, and none when none waits', async () => {
    const { clock, queue, takeAll } = setUp()
    let timers = 0
    const schedule = clock.schedule.bind(clock)
    clock.schedule = (delay, callback) => {
      timers++
      const timer = schedule(delay, () => {
        timers--
        callback()
      })
      const cancel = (): void => {
        timers--
        timer.cancel()
      }
      return { cancel, [Symbol.dispose]: cancel }
    }
    for (let index = 0; index < 50; index++) queue.addAfter(`key-${index}`, 1000 - index)
    expect(timers).toBe(1)
    await clock.advance(1000)
    expect(takeAll()).toHaveLength(50)
    expect(timers).toBe(0)
    expect(clock.nextDue()).toBeUndefined()
  })
})

test('Q12: no timer is left when the only delayed key is added again without a delay', () => {
  const { clock, queue } = setUp()
  queue.addAfter('a', 1000)
  expect(clock.nextDue()).toBe(1000)
  queue.add('a')
  expect(clock.nextDue()).toBeUndefined()
})

describe('causes', () => {
  test('Q13: an item carries the causes of all adds that were merged into it', () => {
    const { queue } = setUp()
    queue.add('a', { cause: 'created' })
    queue.add('a', { cause: 'child changed' })
    expect(queue.tryGet()?.causes).toEqual(['created', 'child changed'])
  })

  test('Q13: the cause of a delay that was overtaken is dropped, from either side', async () => {
    const { clock, queue } = setUp()
    queue.addAfter('a', 1000, { cause: 'requeueAfter' })
    queue.add('a', { cause: 'changed' })
    queue.addAfter('a', 500, { cause: 'too late' })
    expect(queue.tryGet()?.causes).toEqual(['changed'])
    queue.addAfter('b', 10, { cause: 'timer' })
    await clock.advance(10)
    queue.add('b', { cause: 'changed' })
    expect(queue.tryGet()?.causes).toEqual(['timer', 'changed'])
  })

  test('Q13: a further run carries only the causes that came while the key ran', () => {
    const { queue } = setUp()
    queue.add('a', { cause: 'first' })
    const item = queue.tryGet()!
    queue.add('a', { cause: 'second' })
    queue.done(item)
    expect(queue.tryGet()?.causes).toEqual(['second'])
    expect(item.causes).toEqual(['first'])
  })

  test('Q14: the first causes and the last are kept, the ones between counted', () => {
    const { queue } = setUp({ maxCauses: 3 })
    for (const cause of ['1', '2', '3', '4', '5']) queue.add('a', { cause })
    const item = queue.tryGet()!
    expect(item.causes).toEqual(['1', '2', '5'])
    expect(item.omittedCauses).toBe(2)
  })
})

describe('waiting', () => {
  test('Q15: get resolves when a key becomes ready', async () => {
    const { clock, queue } = setUp()
    const got = queue.get()
    queue.addAfter('a', 10)
    await clock.advance(10)
    await expect(got).resolves.toMatchObject({ key: 'a' })
  })

  test('Q15: an aborted get rejects with the reason, and the key goes to the next', async () => {
    const { queue } = setUp()
    const stop = new AbortController()
    const first = queue.get({ signal: stop.signal })
    const second = queue.get()
    stop.abort(new Error('enough'))
    queue.add('a')
    await expect(first).rejects.toThrow('enough')
    await expect(second).resolves.toMatchObject({ key: 'a' })
    await expect(queue.get({ signal: stop.signal })).rejects.toThrow('enough')
  })

  test('an item says for how long it was ready, not for how long it was delayed', async () => {
    const { clock, queue } = setUp()
    queue.addAfter('a', 100)
    await clock.advance(130)
    expect(queue.tryGet()?.waited).toBe(30)
  })
})

describe('the end', () => {
  test('Q16: after shutDown nothing is accepted or handed out, and pending calls get undefined', async () => {
    const { queue } = setUp()
    const waiting = queue.get()
    const finished = queue.shutDown()
    queue.add('a')
    await expect(waiting).resolves.toBeUndefined()
    await expect(queue.get()).resolves.toBeUndefined()
    await finished
    expect(queue.size).toBe(0)
  })

  test('Q16: without drain ready and delayed keys are dropped', async () => {
    const { clock, queue } = setUp()
    queue.add('a')
    queue.addAfter('b', 10)
    await queue.shutDown()
    await clock.advance(100)
    await expect(queue.get()).resolves.toBeUndefined()
    expect(queue.size).toBe(0)
  })

  test('Q16, Q17: with drain ready keys are still handed out, also a running key that was added again', async () => {
    const { queue } = setUp()
    queue.add('a')
    queue.add('b')
    const running = queue.tryGet()!
    queue.add('a')
    let drained = false
    const finished = queue.shutDown({ drain: true }).then(() => (drained = true))
    const items: WorkItem<string>[] = [running]
    for (let item = queue.tryGet(); item; item = queue.tryGet()) items.push(item)
    expect(items.map((item) => item.key)).toEqual(['a', 'b'])
    for (const item of items) queue.done(item)
    const again = (await queue.get())!
    expect(again.key).toBe('a')
    expect(drained).toBe(false)
    const next = queue.get()
    queue.done(again)
    await expect(next).resolves.toBeUndefined()
    await finished
  })

  test('Q17: shutDown waits for running keys, and leaves no timer', async () => {
    const { clock, queue } = setUp()
    queue.add('a')
    queue.addAfter('b', 1000)
    const item = queue.tryGet()!
    let finished = false
    const end = queue.shutDown().then(() => (finished = true))
    await clock.settle()
    expect(finished).toBe(false)
    expect(clock.nextDue()).toBeUndefined()
    queue.done(item)
    await end
    expect(finished).toBe(true)
  })
})

describe('the budget', () => {
  test('Q22: budgeted keys become ready as the bucket lets them', async () => {
    const { clock, queue, takeAll } = setUp({ budget: new TokenBucket({ rate: 10, burst: 2 }) })
    for (const key of ['a', 'b', 'c', 'd']) queue.addAfter(key, 1000, { budgeted: true })
    await clock.advance(1000)
    expect(takeAll()).toEqual(['a', 'b'])
    await clock.advance(99)
    expect(takeAll()).toEqual([])
    await clock.advance(1)
    expect(takeAll()).toEqual(['c'])
    await clock.advance(100)
    expect(takeAll()).toEqual(['d'])
  })

  test('Q22: an event for a key that waits for a token makes it ready without one', async () => {
    const { clock, queue, takeAll } = setUp({ budget: new TokenBucket({ rate: 1, burst: 1 }) })
    queue.addAfter('a', 10, { budgeted: true })
    queue.addAfter('b', 10, { budgeted: true })
    await clock.advance(10)
    queue.add('b')
    expect(takeAll()).toEqual(['a', 'b'])
  })
})
