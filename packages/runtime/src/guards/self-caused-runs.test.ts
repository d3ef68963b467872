import { SimulatedClock } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import type { ObjectEvent } from '../cache/informer.ts'
import type { WorkItem } from '../queue/index.ts'
import type { Cause } from '../reconcile/index.ts'
import { SelfCausedRuns } from './self-caused-runs.ts'

const KEY = 'default/a'
const CAUSE: Cause = {
  type: 'updated',
  kind: 'Counter',
  object: { namespace: 'default', name: 'a' },
  changed: ['status'],
}

/** Plays a controller: reconciles of one request, what they write and the events that follow. */
function setUp() {
  const clock = new SimulatedClock()
  const runs = new SelfCausedRuns(clock)
  let version = 0
  const causes: Cause[] = []
  const object = (resourceVersion: string) => ({
    metadata: { name: 'a', uid: 'u', resourceVersion },
    status: { n: Number(resourceVersion), fixed: 'same' },
  })
  const event = (resourceVersion: string, cause = CAUSE): void => {
    const before = object(`${Number(resourceVersion) - 1}`)
    runs.event(
      KEY,
      { type: 'updated', object: object(resourceVersion), before } as unknown as ObjectEvent,
      cause,
    )
    causes.push(cause)
  }
  const run = (reconcile: () => void, why?: readonly Cause[]) => {
    const item = { key: KEY, causes: why ?? causes.slice(0, 10), omittedCauses: 0 } as WorkItem<Cause>
    causes.length = 0
    runs.started(item)
    reconcile()
    return runs.ended(KEY)
  }
  /** Writes, and delivers the event of that write. */
  const write = (): void => {
    runs.willWrite(KEY)
    runs.wrote(KEY, `${++version}`)
    event(`${version}`)
  }
  return { clock, runs, run, write, event, foreign: () => event(`${++version}`) }
}

describe('a loop is found', () => {
  test('when a hundred reconciles in a row were caused only by the write of the one before', () => {
    const { run, write } = setUp()
    for (let time = 0; time < 100; time++) expect(run(write)).toBeUndefined()
    expect(run(write)).toEqual({ count: 100, changes: ['status.n of Counter default/a'], isNews: true })
    expect(run(write)).toMatchObject({ count: 101, isNews: false })
  })

  test('also when the watch reports a write before the write is answered', () => {
    const { runs, run, event } = setUp()
    let version = 1000
    const early = (): void => {
      runs.willWrite(KEY)
      event(`${++version}`)
      runs.wrote(KEY, `${version}`)
    }
    let found
    for (let time = 0; time <= 100; time++) found = run(early)
    expect(found).toMatchObject({ count: 100 })
  })

  test('and is reported again after ten minutes', async () => {
    const { clock, run, write } = setUp()
    for (let time = 0; time <= 100; time++) run(write)
    await clock.advance('9m')
    expect(run(write)).toMatchObject({ isNews: false })
    await clock.advance('1m')
    expect(run(write)).toMatchObject({ isNews: true })
  })
})

describe('is not a loop:', () => {
  test('progress of fifty steps that ends', () => {
    const { run, write } = setUp()
    for (let time = 0; time < 50; time++) expect(run(write)).toBeUndefined()
    expect(run(() => {})).toBeUndefined()
    for (let time = 0; time < 99; time++) expect(run(write)).toBeUndefined()
  })

  test('an object that something else changes too', () => {
    const { run, write, foreign } = setUp()
    for (let time = 0; time < 1000; time++) {
      if (time % 90 === 0) foreign()
      expect(run(write)).toBeUndefined()
    }
  })

  test('a change by something else that came before the reconcile wrote', () => {
    const { run, write, foreign } = setUp()
    const reconcile = (): void => {
      foreign()
      write()
    }
    for (let time = 0; time < 1000; time++) expect(run(reconcile)).toBeUndefined()
  })

  test.each<Cause>([
    { type: 'requeueAfter', milliseconds: 1000 },
    { type: 'retry', attempt: 1, error: 'no' },
    { type: 'external', source: 'timer' },
  ])('a reconcile that was called by $type', (cause) => {
    const { run, write } = setUp()
    for (let time = 0; time < 1000; time++) expect(run(write, [CAUSE, cause])).toBeUndefined()
  })
})

test('the memory is bounded, however many requests have written', () => {
  const runs = new SelfCausedRuns(new SimulatedClock())
  for (let time = 0; time < 20_000; time++) runs.willWrite(`default/${time}`)
  expect(runs.size).toBe(5000)
})
