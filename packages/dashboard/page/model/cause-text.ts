import type { Cause } from 'homeostat'
import { texts } from '../language/index.ts'
import { keyOf } from './run.ts'
import { spanOf } from './times.ts'

/** Why a request was made, as a sentence in the language of the page. */
export function causeText(cause: Cause): string {
  const t = texts()
  switch (cause.type) {
    case 'start':
      return t.causeStart(nameOf(cause))
    case 'created':
      return t.causeCreated(nameOf(cause))
    case 'updated':
      return t.causeUpdated(nameOf(cause), cause.changed.join(', '))
    case 'deleting':
      return t.causeDeleting(nameOf(cause))
    case 'deleted':
      return t.causeDeleted(nameOf(cause))
    case 'resync':
      return t.causeResync(nameOf(cause))
    case 'external':
      return `${t.causeExternal(cause.source)}${cause.note === undefined ? '' : ` (${cause.note})`}`
    case 'retry':
      return t.causeRetry(cause.attempt, cause.error)
    case 'conflict':
      return t.causeConflict(cause.attempt)
    case 'requeue':
      return t.causeRequeue
    case 'requeueAfter':
      return t.causeRequeueAfter(spanOf(cause.milliseconds))
  }
}

function nameOf({ kind, object }: Extract<Cause, { readonly object: unknown }>): string {
  return `${kind} ${keyOf(object)}`
}
