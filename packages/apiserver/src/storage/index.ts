/**
 * Entries under revisions, with a history that watches follow: what etcd is to a Kubernetes API server.
 * SPEC.md says, rule by rule, what is promised.
 */
export { Entry } from './entry.ts'
export { RecentValues } from './recent-values.ts'
export { MemoryStore } from './memory-store.ts'
export type { DataLoss } from './salvage.ts'
export {
  RevisionExpired,
  type Store,
  type Stored,
  type StoredValue,
  type StoreEvent,
  type StoreRange,
  type StoreWatch,
} from './store.ts'
export { isStoreFailure } from './store-failure.ts'
