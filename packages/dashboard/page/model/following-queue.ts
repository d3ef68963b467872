import type { Entry, QueueState } from '../../src/recording/entry.ts'

/**
 * The state of a controller's queue after the last reconcile among the first entries. A queue is recorded a moment later
 * than the reconcile that changed it, so the entry may be one of those that follow.
 */
export function followingQueue(entries: readonly Entry[], shown: number): QueueState | undefined {
  const last = entries.findLastIndex((entry, index) => index < shown && isOfRun(entry))
  const run = entries[last]
  if (!run || !isOfRun(run)) return undefined
  for (let index = last + 1; index < entries.length; index++) {
    const entry = entries[index]
    if (entry?.type === 'queue' && entry.controller === run.controller)
      return index < shown ? undefined : entry
    if (entry?.type === 'operator') return undefined
    if (entry && isOfRun(entry) && entry.controller === run.controller) return undefined
  }
  return undefined
}

function isOfRun(entry: Entry): entry is Extract<Entry, { type: 'started' | 'ended' }> {
  return entry.type === 'started' || entry.type === 'ended'
}
