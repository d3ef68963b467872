import { nameOf, type PlainObject } from '../stories/index.ts'
import type { Outcome } from '../world/index.ts'

/** How many timed reconciles of one object in an hour are too many for a check. */
const MANY = 6

/**
 * Says that the work of a sample falls due too often, if it does. `later` is the outcome of its story and an hour, whose
 * state differs from the one before.
 */
export function noteOfFrequentWork(sample: PlainObject, { reports }: Outcome): string[] {
  const timed = new Map<string, number>()
  for (const { controller, request, causes } of reports) {
    if (!causes.some(({ type }) => type === 'requeueAfter')) continue
    const key = `${controller} ${JSON.stringify(request)}`
    timed.set(key, (timed.get(key) ?? 0) + 1)
  }
  const most = Math.max(0, ...timed.values())
  if (most < MANY) return []
  return [
    `the state of ${nameOf(sample)} changes by itself: its work fell due ${most} times in an hour. The check takes long, and may ` +
      'report differences that come only from the passing of time. Choose a sample whose work falls due at most once an hour',
  ]
}
