import { timestamp } from '@homeostat/api'
import { keyIn, type Registry, type ServerObject, uid } from '../../registry/index.ts'
import { AGGREGATOR } from './aggregation.ts'
import { bootstrapPolicy } from './generated/bootstrap-policy.ts'
import { RBAC_GROUP } from './rbac.ts'

/** A default role or binding, without the fields that all of them share. */
interface Compact {
  readonly name: string
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly rules?: readonly unknown[]
  readonly aggregationRule?: object
  readonly subjects?: readonly unknown[]
  readonly roleRef?: object
}

const KINDS = {
  clusterroles: 'ClusterRole',
  clusterrolebindings: 'ClusterRoleBinding',
  roles: 'Role',
  rolebindings: 'RoleBinding',
} as const
const VERSION = `${RBAC_GROUP}/v1`

/**
 * Creates the default roles and bindings of kube-apiserver that the store does not have yet. They are known to be valid, so
 * they are stored without checks.
 */
export function createBootstrapPolicy(registry: Registry): void {
  const policy = JSON.parse(bootstrapPolicy) as Record<keyof typeof KINDS, readonly Compact[]>
  for (const plural of Object.keys(KINDS) as (keyof typeof KINDS)[]) {
    const resource = registry.catalogue.find(RBAC_GROUP, 'v1', plural)
    if (!resource) continue
    for (const item of policy[plural]) {
      const key = keyIn(resource, item.namespace, item.name)
      if (registry.get(resource, key)) continue
      registry.put(resource, key, 0, whole(registry, KINDS[plural], item))
    }
  }
}

function whole(
  registry: Registry,
  kind: string,
  { name, namespace, labels, rules, aggregationRule, subjects, roleRef }: Compact,
): ServerObject {
  const time = timestamp(registry.clock.now())
  const entry = { apiVersion: VERSION, time, fieldsType: 'FieldsV1' as const }
  const own = {
    manager: 'kube-apiserver',
    operation: 'Update' as const,
    ...entry,
    fieldsV1: {
      ...(aggregationRule && { 'f:aggregationRule': { '.': {}, 'f:clusterRoleSelectors': {} } }),
      'f:metadata': {
        'f:annotations': { '.': {}, 'f:rbac.authorization.kubernetes.io/autoupdate': {} },
        'f:labels': {
          '.': {},
          'f:kubernetes.io/bootstrapping': {},
          ...Object.fromEntries(Object.keys(labels ?? {}).map((key) => [`f:${key}`, {}])),
        },
      },
      ...(roleRef && { 'f:roleRef': {} }),
      ...(rules && !aggregationRule && { 'f:rules': {} }),
      ...(subjects && { 'f:subjects': {} }),
    },
  }
  const aggregator = {
    manager: AGGREGATOR,
    operation: 'Apply' as const,
    ...entry,
    fieldsV1: { 'f:rules': {} },
  }
  return {
    kind,
    apiVersion: VERSION,
    metadata: {
      name,
      ...(namespace && { namespace }),
      uid: uid(registry.clock),
      creationTimestamp: time,
      labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
      annotations: { 'rbac.authorization.kubernetes.io/autoupdate': 'true' },
      managedFields: aggregationRule ? [aggregator, own] : [own],
    },
    ...(subjects && { subjects }),
    ...(roleRef && { roleRef }),
    ...(rules && { rules }),
    ...(aggregationRule && { aggregationRule }),
  }
}
