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

/**
 * The cause that an event gives to its requests. It contains names, never objects, because a cause may stay in a
 * queue for long.
 */
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
 * The parts of the object that changed, judged by the metadata alone, since this runs for every event. If the kind has
 * generations, a new version without any other change of the metadata means that the status changed.
 */
function changedParts(changed: ReadonlySet<string>, countsGenerations: boolean): ChangedPart[] {
  const parts: ChangedPart[] = []
  for (const [name, part] of PARTS) if (changed.has(name)) parts.push(part)
  if (parts.length > 0 || !changed.has('resourceVersion')) return parts
  return [countsGenerations ? 'status' : 'content']
}
