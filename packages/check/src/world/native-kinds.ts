import type { AnyKind } from '@homeostat/api'
import * as nativeKinds from 'homeostat/kinds'

/** The kinds of Kubernetes. */
export const NATIVE_KINDS: readonly AnyKind[] = Object.values(nativeKinds).filter(
  (value): value is any =>
    typeof value === 'object' && value !== null && 'plural' in value && 'kind' in value,
)
