import { apiVersionOf } from '@homeostat/api'
import type { ObjectWritten } from '../apply/index.ts'
import { changedFields } from '../guards/index.ts'
import { messageOf } from '../reconcile/index.ts'
import type { RecordedWrite } from './activity-event.ts'

const MOST_FIELDS = 20
const MOST_CHARACTERS = 2000

/** A write without the values that it wrote. */
export function recordedWrite(write: ObjectWritten): RecordedWrite {
  const { verb, kind, key, subresource, before, after, error } = write
  const { uid, resourceVersion, name = key.name, namespace = key.namespace } = after?.metadata ?? {}
  return {
    verb,
    apiVersion: apiVersionOf(kind),
    kind: kind.kind,
    namespace,
    name,
    subresource,
    uid: uid ?? before?.metadata.uid,
    resourceVersion,
    fields: before && after && changedFields(before, after, MOST_FIELDS),
    error: error === undefined ? undefined : shortMessage(error),
  }
}

/** The message of an error, shortened. */
export function shortMessage(error: unknown): string {
  const message = messageOf(error)
  return message.length > MOST_CHARACTERS ? `${message.slice(0, MOST_CHARACTERS)}…` : message
}
