import { SimulatedClock } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import type { Cache } from '../cache/informer.ts'
import { Channel } from './channel.ts'
import { every } from './every.ts'
import type { ExternalEvent } from './source.ts'

function setUp() {
  const clock = new SimulatedClock()
  const stop = new AbortController()
  const context = { clock, signal: stop.signal, cache: undefined as unknown as Cache }
  return { clock, stop, context }
}

describe('a channel', () => {
  test('passes each event to all listeners, with its note', async () => {
    const channel = new Channel<string>('pushes')
    const [first, second]: ExternalEvent<string>[][] = [[], []]
    await channel.start(setUp().context, (event) => first!.push(event))
    await channel.start(setUp().context, (event) => second!.push(event))
    channel.send('a', { note: 'push to main' })
    expect(first).toEqual([{ value: 'a', note: 'push to main' }])
    expect(second).toEqual(first)
  })

  test('keeps events until a controller listens, in order, and no longer', async () => {
    const channel = new Channel<number>('numbers')
    channel.send(1)
    channel.send(2)
    const got: number[] = []
    await channel.start(setUp().context, ({ value }) => got.push(value))
    const late: number[] = []
    await channel.start(setUp().context, ({ value }) => late.push(value))
    expect(got).toEqual([1, 2])
    expect(late).toEqual([])
  })

  test('throws when no controller listens and the buffer is full', () => {
    const channel = new Channel<number>('numbers', { buffer: 1 })
    channel.send(1)
    expect(() => channel.send(2)).toThrow(/channel numbers already holds 1 events and no controller listens/)
  })

  test('stops to listen when the signal aborts', async () => {
    const { context, stop } = setUp()
    const channel = new Channel<number>('numbers')
    const got: number[] = []
    await channel.start(context, ({ value }) => got.push(value))
    stop.abort(new Error('enough'))
    channel.send(1)
    expect(got).toEqual([])
    await expect(channel.start(context, () => {})).rejects.toThrow('enough')
  })
})

describe('a timer', () => {
  test('sends an event exactly each time the period has passed, until the signal aborts', async () => {
    const { clock, context, stop } = setUp()
    const got: string[] = []
    await every('30s').start(context, ({ value }) => got.push(`${value} at ${clock.monotonic()}`))
    await clock.advance('95s')
    expect(got).toEqual(['1 at 30000', '2 at 60000', '3 at 90000'])
    stop.abort()
    expect(clock.nextDue()).toBeUndefined()
  })

  test('needs a period', () => {
    expect(() => every(0)).toThrow(/longer than 0/)
    expect(() => every(-1)).toThrow(/not a duration/)
  })
})
