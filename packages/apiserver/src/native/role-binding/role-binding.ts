import { roleBindingStrategy } from '../access-control/access-control.ts'
import { roleBindingPrinter } from '../access-control/binding-table.ts'
import type { NativeKind } from '../kind/native-kind.ts'

/** RoleBinding: see `access-control/`, which it shares with its siblings. */
export const roleBinding: NativeKind = {
  group: 'rbac.authorization.k8s.io',
  kind: 'RoleBinding',
  ...roleBindingStrategy(true),
  table: roleBindingPrinter,
}
