import type { DeepReadonly, ObjectMeta, OwnerReference } from '@homeostat/api'
import { controllerOf } from 'homeostat'

interface Owned {
  readonly metadata: DeepReadonly<ObjectMeta>
}

/** The result of a controller's claim on objects. */
export interface Claim<T> {
  /** Controlled by the owner, and matching. */
  readonly owned: readonly T[]
  /** Matching, and without a controller: the owner adopts them. */
  readonly adopt: readonly T[]
  /** Controlled by the owner but no longer matching: the owner releases them. */
  readonly release: readonly T[]
}

/**
 * Decides which objects an owner keeps, adopts and releases. An owner that is being deleted adopts and releases nothing, and an
 * object that is being deleted is neither adopted nor released.
 */
export function planClaim<T extends Owned>(
  owner: Owned,
  objects: readonly T[],
  matches: (object: T) => boolean,
): Claim<T> {
  const claim = { owned: [] as T[], adopt: [] as T[], release: [] as T[] }
  const ownerGoes = owner.metadata.deletionTimestamp !== undefined
  for (const object of objects) {
    const { deletionTimestamp } = object.metadata
    const controller = controllerOf(object)
    if (controller) {
      if (controller.uid !== owner.metadata.uid) continue
      if (matches(object)) claim.owned.push(object)
      else if (!ownerGoes && !deletionTimestamp) claim.release.push(object)
    } else if (!ownerGoes && !deletionTimestamp && matches(object)) {
      claim.adopt.push(object)
    }
  }
  return claim
}

/** The object with the owner as its controller. */
export function adopted<T extends Owned>(object: T, reference: OwnerReference): T {
  const ownerReferences = [...(object.metadata.ownerReferences ?? []), reference]
  return { ...object, metadata: { ...object.metadata, ownerReferences } }
}

/** The object without the owner. */
export function released<T extends Owned>(object: T, owner: Owned): T {
  const ownerReferences = object.metadata.ownerReferences?.filter(({ uid }) => uid !== owner.metadata.uid)
  return { ...object, metadata: { ...object.metadata, ownerReferences } }
}
