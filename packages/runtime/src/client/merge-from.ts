import { createMergePatch, type AnyKind } from '@homeostat/api'
import type { Patch } from './client.ts'

/**
 * The merge patch that makes `after` out of `before`: only what differs is sent, so changes that others
 * made meanwhile elsewhere in the object survive. Lists are replaced as a whole. With `optimisticLock` the
 * patch fails with a conflict if the object has changed since `before` was read.
 */
export function mergeFrom(
  before: object,
  after: object,
  options: { optimisticLock?: boolean | undefined } = {},
): Patch<AnyKind, 'merge'> {
  const body = (createMergePatch(before, after) ?? {}) as Record<string, object>
  if (!options.optimisticLock) return { type: 'merge', body }
  const { resourceVersion } = (before as { metadata: { resourceVersion?: string } }).metadata
  return { type: 'merge', body: { ...body, metadata: { ...body['metadata'], resourceVersion } } }
}
