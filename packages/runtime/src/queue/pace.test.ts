import { SimulatedClock } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import { Pace } from './pace.ts'
import { WorkQueue } from './work-queue.ts'

/** Works on keys as soon as they are ready, and records when and why. */
function setUp(options: { minInterval?: number } = {}) {
  const clock = new SimulatedClock()
  const queue = new WorkQueue<string>({ clock, ...options })
  const turns: string[] = []
  const work = async (): Promise<void> => {
    for (let item = await queue.get(); item; item = await queue.get()) {
      turns.push(`${item.key} at ${clock.monotonic()} by ${item.causes.join(', ')}`)
      queue.done(item)
    }
  }
  void work()
  return { clock, queue, turns }
}

describe('Q24: an add within a time', () => {
  test('waits for further ones, counted from the first, and carries all causes', async () => {
    const { clock, queue, turns } = setUp()
    for (const cause of ['one', 'two', 'three', 'four']) {
      queue.addWithin('a', 1000, { cause })
      await clock.advance(400)
    }
    await clock.advance('10s')
    expect(turns).toEqual(['a at 1000 by one, two, three', 'a at 2200 by four'])
  })

  test('joins an earlier pending turn, and is overtaken by an add without a delay', async () => {
    const { clock, queue, turns } = setUp()
    queue.addAfter('a', 300, { cause: 'timer' })
    queue.addWithin('a', 1000, { cause: 'event' })
    await clock.advance('5s')
    queue.addWithin('a', 1000, { cause: 'event' })
    queue.add('a', { cause: 'now' })
    await clock.advance('5s')
    expect(turns).toEqual(['a at 300 by timer, event', 'a at 5000 by now'])
  })

  test('with no time is an add', async () => {
    const { clock, queue, turns } = setUp()
    queue.addWithin('a', 0, { cause: 'now' })
    await clock.settle()
    expect(turns).toEqual(['a at 0 by now'])
  })
})

describe('Q25: a shortest time between two turns', () => {
  test('holds a key back, with all causes that come meanwhile, and no other key', async () => {
    const { clock, queue, turns } = setUp({ minInterval: 1000 })
    queue.add('a', { cause: 'one' })
    await clock.advance(100)
    queue.add('a', { cause: 'two' })
    queue.add('b', { cause: 'other' })
    await clock.advance(100)
    queue.add('a', { cause: 'three' })
    await clock.advance('10s')
    queue.add('a', { cause: 'four' })
    await clock.settle()
    expect(turns).toEqual([
      'a at 0 by one',
      'b at 100 by other',
      'a at 1000 by two, three',
      'a at 10200 by four',
    ])
  })

  test('counts from the start of a turn, also where that takes longer', async () => {
    const clock = new SimulatedClock()
    const queue = new WorkQueue<string>({ clock, minInterval: 1000 })
    queue.add('a')
    const first = queue.tryGet()!
    queue.add('a')
    await clock.advance(1500)
    queue.done(first)
    expect(queue.tryGet()?.key).toBe('a')
  })

  test('does not shorten a delay that is longer', async () => {
    const { clock, queue, turns } = setUp({ minInterval: 1000 })
    queue.add('a', { cause: 'one' })
    await clock.settle()
    queue.addAfter('a', 5000, { cause: 'timer' })
    await clock.advance('10s')
    expect(turns).toEqual(['a at 0 by one', 'a at 5000 by timer'])
  })

  test('leaves no memory of keys whose time has passed', () => {
    const pace = new Pace(1000)
    for (let key = 0; key < 1000; key++) pace.started(`${key}`, key)
    pace.started('last', 5000)
    expect(pace.size).toBe(1)
  })
})
