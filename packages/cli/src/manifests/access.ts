import { clusterRole, role, type Manager } from 'homeostat'

/** The namespace, the ServiceAccount, the roles and the bindings of an operator. */
export function access(name: string, namespace: string, manager: Manager): object[] {
  const account = { name, namespace }
  const everywhere = clusterRole(name, manager.rules('controllers'))
  const inside = role({ name: `${name}-leader-election`, namespace }, manager.rules('namespace'))
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: account },
    everywhere,
    binding('ClusterRoleBinding', everywhere, account),
    inside,
    binding('RoleBinding', inside, account),
  ]
}

/** The role of users who may see the page of the operator. An administrator binds it. */
export function pageViewerRole(name: string): object {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `${name}-page-viewer` },
    rules: [{ nonResourceURLs: ['/page'], verbs: ['get'] }],
  }
}

/** Binds the role to the account. */
function binding(
  kind: string,
  { apiVersion, kind: roleKind, metadata }: ReturnType<typeof clusterRole> | ReturnType<typeof role>,
  account: { readonly name: string; readonly namespace: string },
): object {
  return {
    apiVersion,
    kind,
    metadata,
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: roleKind, name: metadata.name },
    subjects: [{ kind: 'ServiceAccount', ...account }],
  }
}
