import { At, at } from '@homeostat/example-at'
import { MarkdownView, markdownView } from '@homeostat/example-markdownview'
import { clusterRole, customResourceDefinition, Manager, type AnyKind, type Controller } from 'homeostat'

/** A file of an example's `manifests/`: what it is made from, and what it holds. */
export interface ManifestFile {
  readonly from: string
  readonly documents: readonly object[]
}

/** The generated files of each example, by its folder. */
export const manifests: Readonly<Record<string, Readonly<Record<string, ManifestFile>>>> = {
  at: manifestsOf('at', At, at),
  markdownview: manifestsOf('markdownview', MarkdownView, markdownView),
}

function manifestsOf(
  name: string,
  kind: AnyKind,
  controller: Controller,
): Readonly<Record<string, ManifestFile>> {
  return {
    'crd.yaml': { from: 'kind', documents: [customResourceDefinition(kind)] },
    'rbac.yaml': { from: 'controller', documents: access(name, controller) },
  }
}

/** The account of an operator, what it may do, and that the one has the other. */
function access(name: string, controller: Controller): object[] {
  const namespace = `${name}-system`
  const role = clusterRole(name, new Manager().add(controller).rules())
  return [
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } },
    role,
    {
      apiVersion: role.apiVersion,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: role.kind, name },
      subjects: [{ kind: 'ServiceAccount', name, namespace }],
    },
  ]
}
