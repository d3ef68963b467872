import type { Run } from './store.ts'

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** A time of day. */
export function timeOf(at: number): string {
  return TIME.format(at)
}

/** A time of day, to the millisecond. */
export function exactTimeOf(at: number): string {
  return `${TIME.format(at)}.${String(Math.floor(at) % 1000).padStart(3, '0')}`
}

/** A span of time, as short as it can be read. */
export function spanOf(milliseconds: number): string {
  const ms = Math.abs(milliseconds)
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`
}

/** How a reconcile ended, as a sentence. */
export function resultOf({ ended, isCut }: Run): string {
  if (!ended) return isCut ? 'The operator ended before it was done.' : 'It is running.'
  const again = ended.next !== undefined && ended.next > 0 ? ` It runs again in ${spanOf(ended.next)}.` : ''
  switch (ended.result) {
    case 'success':
      return ended.writes.length > 0 ? 'Done.' : 'Done: there was nothing to change.'
    case 'requeue':
    case 'requeueAfter':
      return `Done.${again}`
    case 'conflict':
      return `Another client changed the object first.${again}`
    case 'error':
      return `Failed.${again}`
    case 'terminal':
      return 'Failed. It does not run again until something changes.'
    case 'abandoned':
      return 'Given up: it did not end when it was asked to.'
  }
}

/** What came of a reconcile, in few words. */
export function briefOf(run: Run): string {
  const { ended, isCut } = run
  if (!ended) return isCut ? 'cut off' : 'running'
  if (ended.error !== undefined) return ended.error
  const kinds = new Set(
    ended.writes.map(({ kind, subresource }) =>
      subresource === undefined ? kind : `${kind} ${subresource}`,
    ),
  )
  return kinds.size > 0 ? `wrote ${[...kinds].join(', ')}` : 'nothing to change'
}
