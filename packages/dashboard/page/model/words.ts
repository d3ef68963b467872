import { texts } from '../language/index.ts'
import type { Run } from './run.ts'

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
  const t = texts()
  if (!ended) return isCut ? t.resultCut : t.resultRunning
  const again = (sentence: string): string =>
    ended.next !== undefined && ended.next > 0 ? `${sentence} ${t.again(spanOf(ended.next))}` : sentence
  switch (ended.result) {
    case 'success':
      return ended.writes.length > 0 ? t.resultDone : t.resultNothing
    case 'requeue':
    case 'requeueAfter':
      return again(t.resultDone)
    case 'conflict':
      return again(t.resultConflict)
    case 'error':
      return again(t.resultFailed)
    case 'terminal':
      return t.resultTerminal
    case 'abandoned':
      return t.resultAbandoned
  }
}

/** The result of a reconcile, in a few words. */
export function briefOf(run: Run): string {
  const { ended, isCut } = run
  if (!ended) return isCut ? texts().briefCut : texts().briefRunning
  if (ended.error !== undefined) return ended.error
  const kinds = new Set(
    ended.writes.map(({ kind, subresource }) =>
      subresource === undefined ? kind : `${kind} ${subresource}`,
    ),
  )
  return kinds.size > 0 ? texts().wrote([...kinds].join(', ')) : texts().nothingToChange
}
