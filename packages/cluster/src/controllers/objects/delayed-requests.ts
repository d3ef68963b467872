import { formatKey, type AnyKind, type ObjectKey, type Timer } from '@homeostat/api'
import type { ExternalEvent, ObjectEvent, Source } from 'homeostat'

/** A request that is to come a while after a change. */
export interface DelayedRequest<R extends ObjectKey> {
  readonly request: R
  /** In milliseconds. */
  readonly after: number
}

/**
 * Requests that are delayed after a change, for changes that are frequent or need work later. While one waits, others
 * for the same object are merged with it; an earlier time replaces a later one.
 */
export function delayedRequests<K extends AnyKind, R extends ObjectKey>(
  kind: K,
  plan: (event: ObjectEvent<K>, now: number) => DelayedRequest<R> | undefined,
): Source<ExternalEvent<R>> {
  return {
    name: `delayed changes of ${kind.kind}`,
    async start({ cache, clock, signal }, emit) {
      const waiting = new Map<string, { readonly due: number; readonly timer: Timer }>()
      const informer = cache.informer(kind)
      const listening = informer.listen((event) => {
        const planned = plan(event, clock.now())
        if (!planned) return
        const id = formatKey(planned.request)
        const due = clock.monotonic() + planned.after
        const before = waiting.get(id)
        if (before && before.due <= due) return
        before?.timer.cancel()
        const timer = clock.schedule(planned.after, () => {
          waiting.delete(id)
          emit({ value: planned.request })
        })
        waiting.set(id, { due, timer })
      })
      const end = (): void => {
        listening[Symbol.dispose]()
        for (const { timer } of waiting.values()) timer.cancel()
        waiting.clear()
      }
      signal.addEventListener('abort', end, { once: true })
      await informer.whenSynced({ signal })
    },
  }
}
