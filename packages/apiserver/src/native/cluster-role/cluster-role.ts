import { roleStrategy } from '../access-control/access-control.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** ClusterRole: see `access-control/`, which it shares with its siblings. */
export const clusterRole: NativeKind = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRole',
  ...roleStrategy(false),
}
