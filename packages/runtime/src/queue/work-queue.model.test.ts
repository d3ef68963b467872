import { SimulatedClock } from '@homeostat/api'
import { expect, test } from 'vitest'
import { resolveRetryLimits } from './retry-limits.ts'
import { RetryBackOff } from './retry-back-off.ts'
import type { WorkItem } from './queue-entry.ts'
import { WorkQueue } from './work-queue.ts'

/**
 * The rules of SPEC.md implemented in the simplest way: a list of pending requests that is searched from end to end.
 * Time is a number that the test sets.
 */
class Model {
  now = 0
  pending: { key: string; due: number; priority: number; causes: string[]; order: number }[] = []
  running = new Set<string>()
  readonly #turns = new Map<string, number>()
  readonly #interval: number
  #order = 0

  constructor(interval: number) {
    this.#interval = interval
  }

  add(key: string, delay: number, priority: number, cause: string, joins = false): void {
    const next = (this.#turns.get(key) ?? Number.NEGATIVE_INFINITY) + this.#interval
    const due = Math.max(this.now, this.now + delay, next)
    const waiting = this.pending.find((entry) => entry.key === key)
    if (!waiting) {
      this.pending.push({ key, due, priority, causes: [cause], order: this.#order++ })
      return
    }
    const [old, wanted] = [Math.max(this.now, waiting.due), due]
    const ready = this.#ready(waiting)
    if (wanted === old || (joins && wanted > old)) waiting.causes.push(cause)
    if (wanted < old) waiting.causes = [cause]
    if (wanted < old || (ready && priority > waiting.priority)) waiting.order = this.#order++
    if (wanted < old) waiting.due = wanted
    waiting.priority = Math.max(waiting.priority, priority)
  }

  /** Time moves from one due time to the next: requests that become ready are placed behind those that already were. */
  advance(milliseconds: number): void {
    const end = this.now + milliseconds
    const due = this.pending
      .filter((entry) => entry.due > this.now && entry.due <= end && !this.running.has(entry.key))
      .sort((a, b) => a.due - b.due || a.order - b.order)
    for (const entry of due) entry.order = this.#order++
    this.now = end
  }

  get(): { key: string; causes: string[]; priority: number } | undefined {
    const [next] = this.pending
      .filter((entry) => this.#ready(entry))
      .sort((a, b) => b.priority - a.priority || a.order - b.order)
    if (!next) return undefined
    this.pending.splice(this.pending.indexOf(next), 1)
    this.running.add(next.key)
    this.#turns.set(next.key, this.now)
    return next
  }

  done(key: string): void {
    this.running.delete(key)
    const again = this.pending.find((entry) => entry.key === key)
    if (again) again.order = this.#order++
  }

  #ready(entry: { key: string; due: number }): boolean {
    return entry.due <= this.now && !this.running.has(entry.key)
  }
}

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']

test.each(Array.from({ length: 60 }, (_, seed) => seed + 1))(
  'Q1 to Q13, Q18, Q24, Q25: a thousand random steps agree with a simple model (seed %i)',
  async (seed) => {
    const clock = new SimulatedClock()
    const chance = new SimulatedClock({ seed })
    const pick = <E>(from: readonly E[]): E => from[Math.floor(chance.random() * from.length)]!
    const minInterval = seed % 3 === 0 ? 50 : 0
    const queue = new WorkQueue<string>({ clock, maxCauses: Number.POSITIVE_INFINITY, minInterval })
    const [retries, modelRetries] = [new Map<string, number>(), new RetryBackOff(resolveRetryLimits())]
    const model = new Model(minInterval)
    const running = new Map<string, WorkItem<string>>()

    for (let step = 0; step < 1000; step++) {
      const key = pick(KEYS)
      let [seen, expected]: (string | undefined)[] = []
      const priority = pick([-100, 0, 0, 0, 7])
      switch (
        pick(['add', 'add', 'addAfter', 'addWithin', 'get', 'get', 'get', 'done', 'fail', 'advance'] as const)
      ) {
        case 'add':
          queue.add(key, { priority, cause: `${step}` })
          model.add(key, 0, priority, `${step}`)
          break
        case 'addAfter': {
          const delay = pick([-1, 0, 1, 5, 5, 100, 3_000_000_000])
          queue.addAfter(key, delay, { priority, cause: `${step}` })
          model.add(key, delay, priority, `${step}`)
          break
        }
        case 'addWithin': {
          const delay = pick([0, 5, 100])
          queue.addWithin(key, delay, { priority, cause: `${step}` })
          model.add(key, delay, priority, `${step}`, true)
          break
        }
        case 'get': {
          const item = queue.tryGet()
          const wanted = model.get()
          seen = item && `${item.key} ${item.priority} ${item.causes.join()}`
          expected = wanted && `${wanted.key} ${wanted.priority} ${wanted.causes.join()}`
          if (item) running.set(item.key, item)
          break
        }
        case 'done': {
          const item = running.get(key)
          if (!item) break
          modelRetries.forget(key)
          retries.delete(key)
          finish(item)
          break
        }
        case 'fail': {
          const item = running.get(key)
          if (!item) break
          const failures = retries.get(key) ?? 0
          retries.set(key, failures + 1)
          queue.addAfter(key, modelRetries.failed(key).wait, {
            priority: item.priority,
            cause: `retry ${step}`,
          })
          model.add(key, Math.min(1000 * 2 ** failures, 300_000), item.priority, `retry ${step}`)
          finish(item)
          break
        }
        case 'advance': {
          const milliseconds = pick([1, 1, 4, 5, 95, 1000, 60_000])
          await clock.advance(milliseconds)
          model.advance(milliseconds)
          break
        }
      }
      expect(seen, `step ${step}`).toBe(expected)
      expect(queue.size, `step ${step}`).toBe(
        new Set([...model.running, ...model.pending.map((entry) => entry.key)]).size,
      )
    }

    function finish(item: WorkItem<string>): void {
      running.delete(item.key)
      queue.done(item)
      queue.done(item)
      model.done(item.key)
    }
  },
)
