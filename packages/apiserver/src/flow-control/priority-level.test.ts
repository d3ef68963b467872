import { SimulatedClock, type Clock } from '@homeostat/api'
import { describe, expect, it } from 'vitest'
import type { Flow } from './flow.ts'
import { FlowMetrics } from './flow-metrics.ts'
import { PriorityLevel, type Queuing, type RunningRequest } from './priority-level.ts'
import { Turns } from './turns.ts'

const attributes = { verb: 'get', path: '/' }

/** A level with a number of seats, and what began at it, in order. */
function levelWith(
  seats: number,
  queuing: Queuing | undefined,
  turnsOf = (clock: Clock) => new Turns(clock),
) {
  const clock = new SimulatedClock()
  const level = new PriorityLevel(
    'a',
    { uid: '1', isExempt: false, queuing },
    turnsOf(clock),
    clock.monotonic(),
  )
  level.setLimit(seats, clock.monotonic())
  const counters = new FlowMetrics().countersOf('a', 'a')
  const flow: Flow = {
    schema: 'a',
    schemaUid: '2',
    precedence: 1,
    rules: [],
    level,
    counters,
    distinguisher: ({ name }) => name,
  }
  const began: string[] = []
  const running: RunningRequest[] = []
  const begin = (name: string, needed = 1) => {
    let cancelled: (isTimeOut: boolean) => void = () => undefined
    const user = { name, groups: [] }
    const note = (one: RunningRequest | undefined): void => {
      began.push(one ? name : `${name} refused`)
      if (one) running.push(one)
    }
    const result = level.begin({ flow, user, attributes, seats: needed }, clock.monotonic(), (cancel) => {
      cancelled = cancel
      return note
    })
    if (result !== 'waits') note(result)
    return { cancel: (isTimeOut: boolean) => cancelled(isTimeOut), waits: result === 'waits' }
  }
  const endOldest = (): void => {
    const oldest = running.shift()
    if (oldest) level.end(oldest, clock.monotonic())
  }
  return { clock, level, began, begin, endOldest, counters }
}

const queuing = { queues: 64, handSize: 4, lengthLimit: 50 }

describe('a level without queues', () => {
  it('refuses requests beyond its seats', () => {
    const { begin, began, endOldest } = levelWith(2, undefined)
    for (const name of ['a', 'b', 'c']) begin(name)
    endOldest()
    begin('d')
    expect(began).toEqual(['a', 'b', 'c refused', 'd'])
  })

  it('runs a request that needs more seats than there are alone', () => {
    const { begin, began } = levelWith(0, undefined)
    begin('a', 3)
    begin('b')
    expect(began).toEqual(['a', 'b refused'])
  })
})

describe('a level with queues', () => {
  it('takes requests from flows in turn, however many one of them has sent', () => {
    const { begin, began, endOldest } = levelWith(1, queuing)
    for (let count = 0; count < 20; count++) begin('flood')
    for (let count = 0; count < 3; count++) begin('quiet')
    for (let count = 0; count < 12; count++) endOldest()
    // Four queues have requests of the flood.
    const places = began.flatMap((name, index) => (name === 'quiet' ? [index] : []))
    expect(places).toHaveLength(3)
    expect(Math.max(...places)).toBeLessThan(12)
  })

  it('keeps the order of requests in a queue', () => {
    const { begin, began, endOldest } = levelWith(1, { queues: 1, handSize: 1, lengthLimit: 50 })
    for (const name of ['a', 'b', 'c', 'd']) begin(name)
    for (let count = 0; count < 4; count++) endOldest()
    expect(began).toEqual(['a', 'b', 'c', 'd'])
  })

  it('refuses a request whose queues are full', () => {
    const { begin, began } = levelWith(1, { queues: 1, handSize: 1, lengthLimit: 2 })
    for (const name of ['a', 'b', 'c', 'd']) begin(name)
    expect(began).toEqual(['a', 'd refused'])
  })

  it('lets the next request begin where the first one gives up', () => {
    const { begin, began, level, counters } = levelWith(2, { queues: 1, handSize: 1, lengthLimit: 9 })
    begin('a')
    const wide = begin('b', 2)
    begin('c')
    expect(began).toEqual(['a'])
    wide.cancel(true)
    expect(began).toEqual(['a', 'b refused', 'c'])
    expect(level).toMatchObject({ timedOut: 1, cancelled: 0, rejected: 1, waitingCount: 0, seatsWaiting: 0 })
    expect(counters.rejected('time-out').count).toBe(1)
  })

  it('ignores that a request gives up after it has begun', () => {
    const { begin, began, endOldest, level } = levelWith(1, { queues: 1, handSize: 1, lengthLimit: 9 })
    begin('a')
    const { cancel } = begin('b')
    endOldest()
    cancel(false)
    expect(began).toEqual(['a', 'b'])
    expect(level.rejected).toBe(0)
  })

  it('frees all seats', () => {
    const { begin, endOldest, level, counters } = levelWith(3, queuing)
    for (let count = 0; count < 30; count++) begin(`user-${count % 5}`, 1 + (count % 3))
    for (let count = 0; count < 30; count++) endOldest()
    expect(level).toMatchObject({ seatsInUse: 0, seatsWaiting: 0, waitingCount: 0, isIdle: true })
    expect(counters).toMatchObject({
      executing: { count: 0 },
      executingSeats: { count: 0 },
      waitingSeats: { count: 0 },
    })
  })

  it('begins waiting requests when it gets more seats', () => {
    const { begin, began, level, clock } = levelWith(1, queuing)
    for (const name of ['a', 'b', 'c', 'd']) begin(name)
    level.setLimit(3, clock.monotonic())
    expect(began).toHaveLength(3)
  })

  it('lets a flow whose requests take long wait longer', async () => {
    const { begin, began, endOldest, clock } = levelWith(1, { queues: 64, handSize: 1, lengthLimit: 50 })
    for (let count = 0; count < 10; count++) {
      begin('slow')
      begin('fast')
    }
    for (let count = 0; count < 15; count++) {
      // The requests of one flow take a second, those of the other nothing.
      if (began.at(-1) === 'slow') await clock.advance('1s')
      endOldest()
    }
    expect(began.filter((name) => name === 'slow').length).toBeLessThan(7)
    expect(began.filter((name) => name === 'fast')).toHaveLength(10)
  })
})

describe('a level whose requests wait for turns of the event loop', () => {
  /** Turns that are over as soon as one request has begun. */
  class ShortTurns extends Turns {
    isSpent = true

    override get isMeasured(): boolean {
      return true
    }

    override isOver(): boolean {
      if (this.isSpent) return true
      this.isSpent = true
      return false
    }

    override waitFor(): void {
      // The test takes the turns.
    }
  }

  it('takes a request that comes late before the many that wait, though all seats are free', async () => {
    const turns: ShortTurns[] = []
    const { begin, began, endOldest, clock, level } = levelWith(50, queuing, (clock) => {
      const made = new ShortTurns(clock)
      turns.push(made)
      return made
    })
    const take = async (): Promise<void> => {
      for (const one of turns) one.isSpent = false
      level.takeTurn(clock.monotonic())
      await clock.advance('2ms')
      endOldest()
    }
    for (let count = 0; count < 40; count++) begin('flood', 4)
    for (let count = 0; count < 10; count++) await take()
    begin('quiet')
    await take()
    expect(began).toHaveLength(11)
    expect(began.at(-1)).toBe('quiet')
  })
})
