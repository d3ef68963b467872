import { SimulatedClock } from '@homeostat/api'
import { describe, expect, test } from 'vitest'
import type { ObjectEvent } from '../cache/index.ts'
import type { WorkItem } from '../queue/index.ts'
import type { Cause } from '../reconcile/index.ts'
import { type ChainedRun, WriteChains } from './write-chains.ts'

/** Plays the controllers of a manager, all of which see the events of one object. */
function setUp(...requests: string[]) {
  return new SystemOfControllers(requests)
}

class SystemOfControllers {
  readonly clock = new SimulatedClock()
  readonly chains = new WriteChains(this.clock)
  readonly #waiting = new Map<string, Cause[]>()
  readonly #requests: readonly string[]
  #version = 0

  constructor(requests: readonly string[]) {
    this.#requests = requests
  }

  /** A version of the object comes to every controller. */
  event(version = `${++this.#version}`): void {
    const object = (n: number) => ({ metadata: { uid: 'u', resourceVersion: `${n}`, labels: { n: `${n}` } } })
    for (const request of this.#requests) {
      const cause: Cause = { type: 'updated', kind: 'ConfigMap', object: { name: 'a' }, changed: ['labels'] }
      const change = { type: 'updated', object: object(Number(version)), before: object(Number(version) - 1) }
      this.chains.event(request, change as unknown as ObjectEvent, cause)
      const waiting = this.#waiting.get(request)
      if (waiting) waiting.push(cause)
      else this.#waiting.set(request, [cause])
    }
  }

  start(request: string, ...more: Cause[]): ChainedRun {
    const causes = [...(this.#waiting.get(request) ?? []), ...more]
    this.#waiting.delete(request)
    return this.chains.started(request, { causes, omittedCauses: 0 } as unknown as WorkItem<Cause>)
  }

  write(run: ChainedRun): void {
    this.chains.wrote(run, `${++this.#version}`)
    this.event(`${this.#version}`)
  }

  /** One reconcile, which writes. */
  turn(request: string, ...more: Cause[]) {
    const run = this.start(request, ...more)
    this.write(run)
    return this.chains.ended(run)
  }
}

describe('a loop is found', () => {
  test('where two controllers take turns five hundred times', () => {
    const system = setUp('one a', 'two a')
    system.event()
    const found = []
    for (let time = 0; time < 505; time++) {
      found.push(system.turn('one a'))
      system.turn('two a')
    }
    expect(found.slice(0, 500).filter(Boolean)).toEqual([])
    expect(found.find(Boolean)).toEqual({
      count: 500,
      changes: ['metadata.labels.n of ConfigMap a'],
      others: ['two a'],
      isNews: true,
    })
    expect(system.turn('one a')).toMatchObject({ others: ['two a'], isNews: false })
  })

  test('and reported again after ten minutes', async () => {
    const system = setUp('one a', 'two a')
    system.event()
    for (let time = 0; time <= 505; time++) for (const request of ['one a', 'two a']) system.turn(request)
    await system.clock.advance('10m')
    expect(system.turn('one a')).toMatchObject({ isNews: true })
  })

  test('where reconciles between them write nothing, and events come before the answers to the writes', () => {
    const system = setUp('one a', 'two a')
    system.event()
    let found
    for (let time = 0; time <= 505; time++) {
      for (const request of ['one a', 'two a']) {
        const run = system.start(request)
        system.event()
        // The other one sees the event, and has nothing to do yet.
        const idle = system.start(request)
        expect(system.chains.ended(idle)).toBeUndefined()
        system.chains.wrote(run, run.versions.length > 0 ? `${Number(run.versions.at(-1)) + 1}` : '2')
        found = system.chains.ended(run)
      }
    }
    expect(found?.count).toBeGreaterThanOrEqual(500)
  })
})

describe('is not a loop:', () => {
  test('a long chain that comes back to no request', () => {
    const requests = Array.from({ length: 600 }, (_, index) => `steps ${index}`)
    const system = setUp('summary a', ...requests)
    system.event()
    for (const request of requests) {
      expect(system.turn(request)).toBeUndefined()
      // It is called by each step, and causes none.
      const summary = system.start('summary a')
      expect(system.chains.ended(summary)).toBeUndefined()
    }
  })

  test('turns among which another client writes now and then', () => {
    const system = setUp('one a', 'two a')
    for (let time = 0; time < 2000; time++) {
      if (time % 400 === 0) system.event()
      expect(system.turn('one a')).toBeUndefined()
      expect(system.turn('two a')).toBeUndefined()
    }
  })

  test.each<Cause>([
    { type: 'requeueAfter', milliseconds: 1000 },
    { type: 'retry', attempt: 1, error: 'no' },
    { type: 'external', source: 'timer' },
  ])('turns that $type also causes', (cause) => {
    const system = setUp('one a', 'two a')
    for (let time = 0; time < 2000; time++) {
      expect(system.turn('one a', cause)).toBeUndefined()
      expect(system.turn('two a')).toBeUndefined()
    }
  })
})

test('the memory is bounded, however many requests are called and write', () => {
  const chains = new WriteChains(new SimulatedClock())
  for (let time = 0; time < 20_000; time++) {
    const item = { causes: [], omittedCauses: 0 } as unknown as WorkItem<Cause>
    chains.wrote(chains.started(`site ${time}`, item), `${time}`)
  }
  expect(chains.size).toBeLessThanOrEqual(5000)
})
