import type { AnyKind } from '@homeostat/api'

/** How a controller writes a kind: the client's method, or a right that some objects of RBAC ask for. */
export type WriteVerb =
  | 'create'
  | 'update'
  | 'patch'
  | 'apply'
  | 'delete'
  | 'deleteAllOf'
  | `${'status' | 'scale'}.${'update' | 'patch' | 'apply'}`
  | 'bind'
  | 'escalate'

/** What a controller says that it reads or writes, besides what it watches. */
export interface Access {
  readonly kind: AnyKind
  readonly verbs: readonly (WriteVerb | 'read')[]
}
