import { deepFreeze, timestamp, type FieldsV1 } from '@homeostat/api'
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

/** The content of the generated text. */
interface CompactPolicy {
  readonly clusterroles: readonly Compact[]
  readonly clusterrolebindings: readonly Compact[]
  readonly roles: readonly Compact[]
  readonly rolebindings: readonly Compact[]
}

/** A default object without what differs between servers: its uid and its times. */
interface Template extends Compact {
  readonly kind: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  /** The fields that kube-apiserver owns. */
  readonly ownedFields: FieldsV1
}

type Policy = ReadonlyMap<string, readonly Template[]>

const VERSION = `${RBAC_GROUP}/v1`
const ANNOTATIONS = { 'rbac.authorization.kubernetes.io/autoupdate': 'true' }
const AGGREGATED_FIELDS = deepFreeze({ 'f:rules': {} })

/** Held weakly: a server starts once in most processes, and a test starts many. */
let sharedPolicy: WeakRef<Policy> | undefined

/**
 * Creates the default roles and bindings of kube-apiserver that the store does not have yet. They are known to be valid, so
 * they are stored without checks. The servers of a process share the frozen parts of them.
 */
export function createBootstrapPolicy(registry: Registry): void {
  const policy = sharedPolicy?.deref() ?? readPolicy()
  sharedPolicy = new WeakRef(policy)
  for (const [plural, templates] of policy) {
    const resource = registry.catalogue.find(RBAC_GROUP, 'v1', plural)
    if (!resource) continue
    for (const template of templates) {
      const key = keyIn(resource, template.namespace, template.name)
      if (registry.get(resource, key)) continue
      registry.put(resource, key, 0, whole(registry, template))
    }
  }
}

function readPolicy(): Policy {
  const { clusterroles, clusterrolebindings, roles, rolebindings } = JSON.parse(
    bootstrapPolicy,
  ) as CompactPolicy
  const templates = (kind: string, items: readonly Compact[]): readonly Template[] =>
    items.map((item) => deepFreeze(templateOf(kind, item)))
  return new Map([
    ['clusterroles', templates('ClusterRole', clusterroles)],
    ['clusterrolebindings', templates('ClusterRoleBinding', clusterrolebindings)],
    ['roles', templates('Role', roles)],
    ['rolebindings', templates('RoleBinding', rolebindings)],
  ])
}

function templateOf(kind: string, item: Compact): Template {
  const { labels, rules, aggregationRule, subjects, roleRef } = item
  const ownedFields = {
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
  }
  return {
    ...item,
    kind,
    labels: { 'kubernetes.io/bootstrapping': 'rbac-defaults', ...labels },
    annotations: ANNOTATIONS,
    ownedFields,
  }
}

function whole(registry: Registry, template: Template): ServerObject {
  const { kind, name, namespace, labels, annotations, ownedFields } = template
  const { rules, aggregationRule, subjects, roleRef } = template
  const time = timestamp(registry.clock.now())
  const entry = { apiVersion: VERSION, time, fieldsType: 'FieldsV1' as const }
  const own = {
    manager: 'kube-apiserver',
    operation: 'Update' as const,
    ...entry,
    fieldsV1: ownedFields,
  }
  const aggregator = {
    manager: AGGREGATOR,
    operation: 'Apply' as const,
    ...entry,
    fieldsV1: AGGREGATED_FIELDS,
  }
  return {
    kind,
    apiVersion: VERSION,
    metadata: {
      name,
      ...(namespace && { namespace }),
      uid: uid(registry.clock),
      creationTimestamp: time,
      labels,
      annotations,
      managedFields: aggregationRule ? [aggregator, own] : [own],
    },
    ...(subjects && { subjects }),
    ...(roleRef && { roleRef }),
    ...(rules && { rules }),
    ...(aggregationRule && { aggregationRule }),
  }
}
