import { metadataBefore, type ObjectEvent } from '../cache/index.ts'

interface Meta {
  readonly resourceVersion?: string | undefined
  readonly generation?: number | undefined
  readonly deletionTimestamp?: string | undefined
  readonly labels?: Readonly<Record<string, string>> | undefined
  readonly annotations?: Readonly<Record<string, string>> | undefined
}

/**
 * The spec changed, or the object is being deleted. For a kind without generations, such as ConfigMap, every new
 * resourceVersion passes, since nothing else shows a change of the content. Created and deleted objects, and the
 * regular resync, always pass.
 */
export function generationChanged(event: ObjectEvent): boolean {
  return ofUpdates(event, (before, after) => {
    if (before.deletionTimestamp !== after.deletionTimestamp) return true
    if (after.generation === undefined) return before.resourceVersion !== after.resourceVersion
    return before.generation !== after.generation
  })
}

/** The resourceVersion changed: everything passes except the regular resync. */
export function resourceVersionChanged(event: ObjectEvent): boolean {
  if (event.type === 'resync') return false
  return ofUpdates(event, (before, after) => before.resourceVersion !== after.resourceVersion)
}

/** A label was added, changed or removed. Created and deleted objects, and the regular resync, always pass. */
export function labelsChanged(event: ObjectEvent): boolean {
  return ofUpdates(event, (before, after) => !same(before.labels, after.labels))
}

/** An annotation was added, changed or removed. Created and deleted objects, and the regular resync, always pass. */
export function annotationsChanged(event: ObjectEvent): boolean {
  return ofUpdates(event, (before, after) => !same(before.annotations, after.annotations))
}

function ofUpdates(event: ObjectEvent, changed: (before: Meta, after: Meta) => boolean): boolean {
  return event.type !== 'updated' || changed(metadataBefore(event), event.object.metadata)
}

function same(a: Readonly<Record<string, string>> = {}, b: Readonly<Record<string, string>> = {}): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name])
}
