import { checkOptionNames, createMergePatch, optionNames, type AnyKind } from '@homeostat/api'
import type { Patch } from './interface/client.ts'

/** Options of {@link mergeFrom}. */
export interface MergeFromOptions {
  /** Whether the patch fails with a conflict if the object has changed since `before` was read. Default: false. */
  optimisticLock?: boolean | undefined
}

const MERGE_FROM_OPTIONS = optionNames<MergeFromOptions>('mergeFrom', { optimisticLock: true })

/**
 * The merge patch that turns `before` into `after`: it contains only what differs, so changes that other clients
 * made meanwhile to other fields survive. Lists are replaced as a whole. With `optimisticLock` the patch fails with
 * a conflict if the object has changed since `before` was read.
 */
export function mergeFrom(
  before: object,
  after: object,
  options: MergeFromOptions = {},
): Patch<AnyKind, 'merge'> {
  checkOptionNames(options, MERGE_FROM_OPTIONS)
  const body = (createMergePatch(before, after) ?? {}) as Record<string, object>
  if (!options.optimisticLock) return { type: 'merge', body }
  const { resourceVersion } = (before as { metadata: { resourceVersion?: string } }).metadata
  return { type: 'merge', body: { ...body, metadata: { ...body['metadata'], resourceVersion } } }
}
