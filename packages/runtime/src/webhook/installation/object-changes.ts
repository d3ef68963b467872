import type { AnyKind, ObjectKey } from '@homeostat/api'
import type { ExternalEvent, Source } from '../../source/index.ts'
import type { Logger } from '../../telemetry/index.ts'
import type { Transport } from '../../transport/index.ts'
import { followKind } from '../../watch/index.ts'

/**
 * The changes of one object, watched by its name: a role can allow that for this object alone. There is an event at the start, whether the
 * object can be watched or not, so that a reconcile tries to read it and says why it cannot.
 */
export function objectChanges(
  transport: Transport,
  kind: AnyKind,
  { namespace, name }: ObjectKey,
  logger: Logger,
): Source<ExternalEvent<undefined>> {
  const what = `${kind.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
  return {
    name: `changes of ${what}`,
    start({ clock, signal }, emit) {
      signal.throwIfAborted()
      emit({ value: undefined, note: `${what} is watched` })
      const fields = { 'metadata.name': name }
      void followKind({ transport, clock, signal, logger, kind, namespace, fields }, ({ type }) => {
        if (type !== 'bookmark' && type !== 'failed' && type !== 'missing')
          emit({ value: undefined, note: `${what} was ${type}` })
        return undefined
      })
      return Promise.resolve()
    },
  }
}
