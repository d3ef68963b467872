/**
 * Entries with revisions, and a history that watches follow: what etcd is to a Kubernetes API server. SPEC.md has its
 * guarantees, rule by rule.
 */
export { Entry } from './entry.ts'
export { RecentValues } from './recent-values.ts'
export { RevisionStore } from './revision-store.ts'
export type { DataLoss } from './journal/index.ts'
export {
  RevisionExpired,
  type Store,
  type Stored,
  type StoredValue,
  type StoreEvent,
  type StorePage,
  type StoreRange,
  type StoreWatch,
} from './store.ts'
export { isStoreFailure } from './store-failure.ts'
