import { roleBindingStrategy } from '../access-control/access-control.ts'
import { roleBindingPrinter } from '../access-control/binding-table.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** ClusterRoleBinding: see `access-control/`, which it shares with its siblings. */
export const clusterRoleBinding: NativeKind = {
  group: 'rbac.authorization.k8s.io',
  kind: 'ClusterRoleBinding',
  ...roleBindingStrategy(false),
  table: roleBindingPrinter,
}
