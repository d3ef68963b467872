import type { AnyKind, ObjectMeta } from '@homeostat/api'
import { keyOf } from '@homeostat/api'
import { metadataChanged, type ObjectEvent } from '../cache/informer.ts'
import type { Cause, ChangedPart } from './cause.ts'

/** What a part of an object is called where its metadata tells of it. */
const PARTS: readonly (readonly [name: string, part: ChangedPart])[] = [
  ['generation', 'spec'],
  ['labels', 'labels'],
  ['annotations', 'annotations'],
  ['finalizers', 'finalizers'],
  ['ownerReferences', 'owners'],
]

/** Why an event makes a request. It keeps names, never the objects: a cause may live long in a queue. */
export function causeOfEvent(kind: AnyKind, event: ObjectEvent): Cause {
  const at = { kind: kind.kind, object: event.key ?? keyOf(event.object) }
  if (event.type === 'added') return { type: event.initial ? 'start' : 'created', ...at }
  if (event.type !== 'updated') return { type: event.type, ...at }
  const changed = metadataChanged(event)
  const { deletionTimestamp, generation } = event.object.metadata as ObjectMeta
  if (deletionTimestamp && changed.has('deletionTimestamp')) return { type: 'deleting', ...at }
  return { type: 'updated', ...at, changed: changedParts(changed, generation !== undefined) }
}

/**
 * What changed, from the metadata alone, since this runs for every event. A new version that nothing in
 * the metadata explains is a change of the status where the kind counts generations of its spec.
 */
function changedParts(changed: ReadonlySet<string>, countsGenerations: boolean): ChangedPart[] {
  const parts = PARTS.filter(([name]) => changed.has(name)).map(([, part]) => part)
  if (parts.length > 0 || !changed.has('resourceVersion')) return parts
  return [countsGenerations ? 'status' : 'content']
}
