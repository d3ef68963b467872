import { formatKey } from '@homeostat/api'
import type { Cause } from './cause.ts'

const UNITS = [
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1000],
] as const

const HAPPENED = {
  start: 'was there at the start',
  created: 'was created',
  deleting: 'is being deleted',
  deleted: 'was deleted',
  resync: 'came up in the regular resync',
} as const

/** The cause as a short sentence: "Deployment default/viewer-x was deleted". */
export function describeCause(cause: Cause): string {
  switch (cause.type) {
    case 'external':
      return cause.note ? `${cause.source}: ${cause.note}` : `${cause.source} sent an event`
    case 'retry':
      return `retry ${cause.attempt} after: ${cause.error}`
    case 'conflict':
      return `retry ${cause.attempt} after a lost race: ${cause.error}`
    case 'requeue':
      return 'the last reconcile asked to be called again'
    case 'requeueAfter':
      return `the last reconcile asked to be called again after ${duration(cause.milliseconds)}`
    default:
      return `${cause.kind} ${formatKey(cause.object)} ${whatHappened(cause)}`
  }
}

/** The causes as one sentence, with equal causes counted: "ConfigMap default/a was updated (3 times)". */
export function describeCauses(causes: readonly Cause[]): string {
  const counts = new Map<string, number>()
  for (const cause of causes) {
    const sentence = describeCause(cause)
    counts.set(sentence, (counts.get(sentence) ?? 0) + 1)
  }
  return [...counts]
    .map(([sentence, count]) => (count > 1 ? `${sentence} (${count} times)` : sentence))
    .join('; ')
}

type OfObject = Exclude<Cause, { type: 'external' | 'retry' | 'conflict' | 'requeue' | 'requeueAfter' }>

function whatHappened(cause: OfObject): string {
  if (cause.type === 'updated') {
    return cause.changed.length > 0 ? `was updated (${cause.changed.join(', ')})` : 'was updated'
  }
  return HAPPENED[cause.type]
}

function duration(milliseconds: number): string {
  for (const [unit, length] of UNITS) {
    if (milliseconds >= length && milliseconds % length === 0) return `${milliseconds / length}${unit}`
  }
  return milliseconds > 10_000 ? `${Math.round(milliseconds / 100) / 10}s` : `${milliseconds}ms`
}
