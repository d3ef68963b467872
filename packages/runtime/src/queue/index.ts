/**
 * Pending work: each key once, at its due time, by priority, and never with two workers; and the delays of retries
 * after a failure. `SPEC.md` lists what is guaranteed. Nothing here knows Kubernetes.
 */
export { RetryBackOff } from './retry-back-off.ts'
export {
  controllerRuntimeLimits,
  resolveRetryLimits,
  type ResolvedRetryLimits,
  type RetryLimits,
} from './retry-limits.ts'
export { TokenBucket } from './token-bucket.ts'
export type { WorkItem } from './queue-entry.ts'
export { WorkQueue, type AddOptions, type QueuedKey, type WorkQueueOptions } from './work-queue.ts'
