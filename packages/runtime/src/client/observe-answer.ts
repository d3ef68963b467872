import { deepFreeze, type AnyKind, type KubernetesObject, type ObjectKey, type Status } from '@homeostat/api'
import type { ClientCache } from './client-cache.ts'

/**
 * Passes the answer to a write to the cache. If the object is being deleted and the write removed its last finalizer,
 * the object is deleted.
 */
export function observeAnswer(cache: ClientCache, kind: AnyKind, object: KubernetesObject): void {
  if (isBeingDeleted(object) && !isHeldUp(object))
    cache.observeDelete(kind, object.metadata, object.metadata.uid)
  else cache.observeWrite(kind, object)
}

/** Passes the answer to a deletion to the cache: a Status, or the object as it was or with its deletionTimestamp. */
export function observeRemoval(
  cache: ClientCache,
  kind: AnyKind,
  key: ObjectKey,
  answer: Status | KubernetesObject,
): void {
  if (isStatus(answer)) cache.observeDelete(kind, key, answer.details?.uid)
  else if (isBeingDeleted(answer)) observeAnswer(cache, kind, deepFreeze(answer))
  else cache.observeDelete(kind, key, answer.metadata.uid)
}

/** Reports the deletion of a collection to the cache, from the objects that existed before and those that are left. */
export function observeRemovals(
  cache: ClientCache,
  kind: AnyKind,
  before: readonly KubernetesObject[],
  left: readonly KubernetesObject[],
): void {
  for (const object of left) observeAnswer(cache, kind, deepFreeze(object))
  const stillThere = new Set(left.map((object) => object.metadata.uid))
  for (const { metadata } of before) {
    if (!stillThere.has(metadata.uid)) cache.observeDelete(kind, metadata, metadata.uid)
  }
}

export function isStatus(answer: { kind: string; apiVersion?: string }): answer is Status {
  return answer.kind === 'Status' && answer.apiVersion === 'v1'
}

function isBeingDeleted({ metadata }: KubernetesObject): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** Whether a deletion waits for finalizers (those of a Namespace are in its spec) or for a grace period. */
function isHeldUp(object: KubernetesObject & { spec?: { finalizers?: unknown[] } }): boolean {
  return (
    (object.metadata.finalizers?.length ?? 0) > 0 ||
    (object.metadata.deletionGracePeriodSeconds ?? 0) > 0 ||
    (object.spec?.finalizers?.length ?? 0) > 0
  )
}
