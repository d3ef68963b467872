import type { PolicyRule } from '../controller/index.ts'

const apiVersion = 'rbac.authorization.k8s.io/v1'

/** The rules as a ClusterRole, ready to be written to a manifest. */
export function clusterRole(name: string, rules: readonly PolicyRule[]) {
  return { apiVersion, kind: 'ClusterRole', metadata: { name }, rules: [...rules] }
}

/** The rules as a Role of one namespace. */
export function role(
  key: { readonly namespace: string; readonly name: string },
  rules: readonly PolicyRule[],
) {
  const { name, namespace } = key
  return { apiVersion, kind: 'Role', metadata: { name, namespace }, rules: [...rules] }
}
