import type { KindStrategy } from '../../registry/kind-strategy.ts'

/**
 * Everything that is special about one kind that Kubernetes brings. A kind's folder exports one, and `kinds.ts` lists it.
 * What a record leaves out is what most kinds do.
 */
export interface NativeKind extends KindStrategy {
  /** The API group; empty for the core group. */
  readonly group: string
  readonly kind: string
}
