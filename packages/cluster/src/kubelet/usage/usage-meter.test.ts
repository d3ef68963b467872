import { SimulatedClock } from '@homeostat/api'
import { expect, it } from 'vitest'
import { UsageMeter } from './usage-meter.ts'

it('measures since the start, then over a window that moves', async () => {
  const clock = new SimulatedClock()
  const meter = new UsageMeter<object>(clock)
  const [thing, start] = [{}, { cpu: 0, memory: 0, time: clock.now() }]
  expect(meter.measure(thing, { cpu: 0, memory: 1 }, start)).toBeUndefined()
  await clock.advance('10s')
  expect(meter.measure(thing, { cpu: 5_000, memory: 2 }, start)).toMatchObject({
    cpu: 0.5,
    memory: 2,
    window: 10_000,
  })
  await clock.advance('10s')
  // Since the start: half a core for ten seconds, then none.
  expect(meter.measure(thing, { cpu: 5_000, memory: 3 }, start)).toMatchObject({ cpu: 0.25, window: 20_000 })
  await clock.advance('20s')
  expect(meter.measure(thing, { cpu: 25_000, memory: 4 }, start)).toMatchObject({ cpu: 1, window: 20_000 })
})

it('never measures a negative usage, as after a process has ended', async () => {
  const clock = new SimulatedClock()
  const meter = new UsageMeter<object>(clock)
  await clock.advance('5s')
  const start = { cpu: 900, memory: 0, time: clock.now() - 5_000 }
  expect(meter.measure({}, { cpu: 100, memory: 0 }, start)).toMatchObject({ cpu: 0 })
})
