import type { AnyKind } from '@homeostat/api'

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  apiGroups: string[]
  /** `pods`, or a part of one: `pods/status`. */
  resources: string[]
  /** Only the objects with these names. Default: all. */
  resourceNames?: string[]
  verbs: string[]
}

/** Parts of objects that `client.status`, `client.scale` and `client.subresource(name)` read and write. */
type Subresource =
  | 'status'
  | 'scale'
  | 'approval'
  | 'binding'
  | 'ephemeralcontainers'
  | 'eviction'
  | 'finalize'
  | 'finalizers'
  | 'log'
  | 'resize'
  | 'token'

/**
 * How a controller writes a kind: the client's method, the helper that does it (`createOrUpdate`, `createOrPatch`),
 * or a right that some RBAC objects require. Each name includes all rights that the method needs: `apply` and the
 * helpers read as well.
 */
export type WriteVerb =
  | 'create'
  | 'update'
  | 'patch'
  | 'apply'
  | 'delete'
  | 'deleteAllOf'
  | 'createOrUpdate'
  | 'createOrPatch'
  | `${Subresource}.${'get' | 'create' | 'update' | 'patch' | 'apply'}`
  | 'bind'
  | 'escalate'

/** The kinds that a controller declares to read or write, besides those that it watches. */
export interface Access {
  readonly kind: AnyKind
  readonly verbs: readonly (WriteVerb | 'read')[]
}

/** A helper that knows which rights it needs, such as a `FinalizerRegistry`. */
export interface DeclaresAccess {
  readonly access: readonly Access[]
}
