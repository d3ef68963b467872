import type { AnyKind, ObjectMeta } from '@homeostat/api'
import { keyOf } from '@homeostat/api'
import { metadataBefore, type ObjectEvent } from '../cache/informer.ts'
import type { Cause, ChangedPart } from './cause.ts'

type Meta = Readonly<Omit<ObjectMeta, 'labels' | 'annotations' | 'finalizers' | 'ownerReferences'>> & {
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
  readonly finalizers?: readonly string[] | undefined
  readonly ownerReferences?: readonly { readonly uid: string }[] | undefined
}

/** Why an event makes a request. It keeps names, never the objects: a cause may live long in a queue. */
export function causeOfEvent(kind: AnyKind, event: ObjectEvent): Cause {
  const at = { kind: kind.kind, object: event.key ?? keyOf(event.object) }
  if (event.type === 'added') return { type: event.initial ? 'start' : 'created', ...at }
  if (event.type !== 'updated') return { type: event.type, ...at }
  const before: Meta = metadataBefore(event)
  const after: Meta = event.object.metadata
  if (after.deletionTimestamp && !before.deletionTimestamp) return { type: 'deleting', ...at }
  return { type: 'updated', ...at, changed: changedParts(before, after) }
}

/**
 * What changed, from the metadata alone, since this runs for every event. A new version that nothing in
 * the metadata explains is a change of the status where the kind counts generations of its spec.
 */
function changedParts(before: Meta, after: Meta): ChangedPart[] {
  const parts: ChangedPart[] = []
  if (before.generation !== after.generation) parts.push('spec')
  if (!sameMap(before.labels, after.labels)) parts.push('labels')
  if (!sameMap(before.annotations, after.annotations)) parts.push('annotations')
  if (!sameList(before.finalizers, after.finalizers)) parts.push('finalizers')
  const [owners, ownersBefore] = [after, before].map((meta) =>
    meta.ownerReferences?.map((owner) => owner.uid),
  )
  if (!sameList(ownersBefore, owners)) parts.push('owners')
  if (parts.length === 0 && before.resourceVersion !== after.resourceVersion) {
    parts.push(after.generation === undefined ? 'content' : 'status')
  }
  return parts
}

function sameMap(
  a: Readonly<Record<string, string>> = {},
  b: Readonly<Record<string, string>> = {},
): boolean {
  if (a === b) return true
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}

function sameList(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}
