import { type AnyKind, type ObjectMeta, keyOf } from '@homeostat/api'
import { metadataChanged, type ObjectEvent } from '../cache/index.ts'
import type { Cause, ChangedPart } from './cause.ts'

/** Which part of an object has changed, by the field of its metadata that shows it. */
const PARTS: readonly (readonly [name: string, part: ChangedPart])[] = [
  ['generation', 'spec'],
  ['labels', 'labels'],
  ['annotations', 'annotations'],
  ['finalizers', 'finalizers'],
  ['ownerReferences', 'owners'],
]

/** Why an event makes a request. It keeps names, never the objects: a cause may live long in a queue. */
export function causeOfEvent(kind: AnyKind, event: ObjectEvent): Cause {
  const { kind: name } = kind
  const object = event.key ?? keyOf(event.object)
  if (event.type === 'added') return { type: event.initial ? 'start' : 'created', kind: name, object }
  if (event.type !== 'updated') return { type: event.type, kind: name, object }
  const changed = metadataChanged(event)
  const { deletionTimestamp, generation }: ObjectMeta = event.object.metadata
  if (deletionTimestamp && changed.has('deletionTimestamp')) return { type: 'deleting', kind: name, object }
  return { type: 'updated', kind: name, object, changed: changedParts(changed, generation !== undefined) }
}

/**
 * What changed, from the metadata alone, since this runs for every event. A new version that nothing in
 * the metadata explains is a change of the status where the kind counts generations of its spec.
 */
function changedParts(changed: ReadonlySet<string>, countsGenerations: boolean): ChangedPart[] {
  const parts: ChangedPart[] = []
  for (const [name, part] of PARTS) if (changed.has(name)) parts.push(part)
  if (parts.length > 0 || !changed.has('resourceVersion')) return parts
  return [countsGenerations ? 'status' : 'content']
}
