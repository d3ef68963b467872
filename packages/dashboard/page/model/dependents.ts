import type { RecordedObject } from '../../src/recording/entry.ts'

/** The objects that the garbage collector deletes after this one: those whose owners are then all gone. */
export function dependentsOf(
  uid: string,
  objects: ReadonlyMap<string, RecordedObject>,
): readonly RecordedObject[] {
  const gone = new Set([uid])
  const found: RecordedObject[] = []
  for (let hasMore = true; hasMore;) {
    hasMore = false
    for (const object of objects.values()) {
      const { uid: own, ownerReferences = [] } = object.metadata
      // An owner that is not shown, such as one of a kind that is not watched, may still exist.
      if (gone.has(own) || ownerReferences.length === 0) continue
      if (!ownerReferences.every((owner) => gone.has(owner.uid))) continue
      gone.add(own)
      found.push(object)
      hasMore = true
    }
  }
  return found
}
