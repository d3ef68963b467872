import { formatKey } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'
import { type Cause, describeCause } from '../reconcile/index.ts'
import { changedFields } from './changed-fields.ts'

const MOST_CHANGES = 5

/** How often each change was seen in the events of a loop. */
export class LoopChanges {
  readonly #counts = new Map<string, number>()

  add(event: ObjectEvent, cause: Cause): void {
    if (!('object' in cause)) return
    const object = `${cause.kind} ${formatKey(cause.object)}`
    const news =
      event.type === 'updated'
        ? changedFields(event.before, event.object, MOST_CHANGES).map((field) => `${field} of ${object}`)
        : [describeCause(cause)]
    for (const change of news) {
      if (this.#counts.size < 4 * MOST_CHANGES || this.#counts.has(change)) {
        this.#counts.set(change, (this.#counts.get(change) ?? 0) + 1)
      }
    }
  }

  clear(): void {
    this.#counts.clear()
  }

  /** The changes of nearly every reconcile, without those that occurred once. */
  mostFrequent(): string[] {
    const sorted = [...this.#counts].toSorted(([, a], [, b]) => b - a)
    const most = sorted[0]?.[1] ?? 0
    return sorted
      .filter(([, times]) => times * 2 >= most)
      .slice(0, MOST_CHANGES)
      .map(([change]) => change)
  }
}
