import type { AnyKind, Clock, ObjectKey } from '@homeostat/api'
import type { ExternalEvent, Source } from '../../source/index.ts'
import type { Logger } from '../../telemetry/index.ts'
import type { Transport } from '../../transport/index.ts'
import { followKind } from '../../watch/index.ts'

/**
 * The changes of one object, watched by its name: a role can allow that for this object alone. There is an event at
 * the start, whether the object can be watched or not, so that a reconcile tries to read it and says why it cannot.
 * `seen` is called with each version that the watch shows.
 */
export function objectChanges(
  transport: Transport,
  kind: AnyKind,
  { namespace, name }: ObjectKey,
  logger: Logger,
  seen?: (resourceVersion: string, clock: Clock) => void,
): Source<ExternalEvent<undefined>> {
  const what = `${kind.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
  return {
    name: `changes of ${what}`,
    start({ clock, signal }, emit) {
      signal.throwIfAborted()
      emit({ value: undefined, note: `${what} is watched` })
      const fields = { 'metadata.name': name }
      void followKind({ transport, clock, signal, logger, kind, namespace, fields }, (delta) => {
        const { type } = delta
        const objects = type === 'listed' ? delta.objects : 'object' in delta ? [delta.object] : []
        for (const { resourceVersion } of objects) seen?.(resourceVersion, clock)
        if (type !== 'bookmark' && type !== 'failed' && type !== 'missing')
          emit({ value: undefined, note: `${what} was ${type}` })
        return undefined
      })
      return Promise.resolve()
    },
  }
}
