import { SimulatedClock, type ObjectKey } from '@homeostat/api'
import { Pod } from '@homeostat/api/kinds'
import type { Cache, ObjectEvent } from 'homeostat'
import { expect, it } from 'vitest'
import { delayedRequests } from './delayed-requests.ts'

type PodEvent = ObjectEvent<typeof Pod>

/** A cache whose Pods the test changes. The name of a Pod is the delay of the request for `x`, in seconds. */
async function setUp() {
  const clock = new SimulatedClock()
  const stop = new AbortController()
  let tell: (event: PodEvent) => void = () => {}
  const informer = {
    listen(listener: (event: PodEvent) => void) {
      tell = listener
      return { [Symbol.dispose]: () => (tell = () => {}) }
    },
    whenSynced: () => Promise.resolve(),
  }
  const cache = { informer: () => informer } as unknown as Cache
  const told: string[] = []
  const source = delayedRequests<typeof Pod, ObjectKey>(Pod, ({ object }) => {
    const after = Number(object.metadata.name) * 1_000
    return Number.isNaN(after) ? undefined : { request: { namespace: 'a', name: 'x' }, after }
  })
  await source.start({ cache, clock, signal: stop.signal }, ({ value }) =>
    told.push(`${value.name} at ${clock.monotonic()}`),
  )
  const change = (name: string): void =>
    tell({ type: 'added', initial: false, object: { metadata: { namespace: 'a', name } } } as PodEvent)
  return { clock, stop, told, change }
}

it('a change becomes a request after its delay, and several within it become one', async () => {
  const { clock, told, change } = await setUp()
  change('2')
  await clock.advance('1s')
  change('2')
  await clock.advance('10s')
  expect(told).toEqual(['x at 2000'])
  change('1')
  await clock.advance('10s')
  expect(told).toEqual(['x at 2000', 'x at 12000'])
})

it('an earlier request replaces a later one, and some changes request nothing', async () => {
  const { clock, told, change } = await setUp()
  change('10')
  change('3')
  change('none')
  await clock.advance('20s')
  expect(told).toEqual(['x at 3000'])
})

it('nothing is left to wait for when the signal aborts', async () => {
  const { clock, told, stop, change } = await setUp()
  change('1')
  stop.abort()
  change('1')
  await clock.advance('5s')
  expect([told, clock.nextDue()]).toEqual([[], undefined])
})
