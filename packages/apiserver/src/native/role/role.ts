import { roleStrategy } from '../access-control/access-control.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** Role: see `access-control/`, which it shares with its siblings. */
export const role: NativeKind = {
  group: 'rbac.authorization.k8s.io',
  kind: 'Role',
  ...roleStrategy(true),
}
