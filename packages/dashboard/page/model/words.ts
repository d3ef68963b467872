import { texts } from '../language/index.ts'
import type { Run } from './run.ts'
import { spanOf } from './times.ts'

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
