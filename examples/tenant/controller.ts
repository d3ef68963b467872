import {
  controller,
  controllerOf,
  controllerReference,
  findCondition,
  hasOwnerReference,
  setCondition,
  type ApplyOf,
  type Client,
  type HandlerContext,
} from 'homeostat'
import { ClusterRole, Namespace, RoleBinding } from 'homeostat/kinds'
import { Tenant } from './tenant.ts'

/** Gives each Tenant its Namespaces, a ClusterRole for its members, and each of them a RoleBinding in each. */
export const tenant = controller('tenant')
  .for(Tenant)
  .owns(Namespace)
  .owns(ClusterRole)
  .owns(RoleBinding)
  .watches(Namespace, claimants)
  .writes(Tenant, 'status.apply')
  .writes(Namespace, 'create', 'delete')
  // The role holds rights that the operator has not: it must be allowed to hand them out.
  .writes(ClusterRole, 'apply', 'escalate', 'bind')
  .writes(RoleBinding, 'apply', 'delete')
  .reconcile(async (request, { client, clock, events }) => {
    const tenant = await client.get(Tenant, request)
    if (!tenant || tenant.metadata.deletionTimestamp) return

    await client.apply(ClusterRole, memberRole(tenant))
    const { claimed, problems } = await claimNamespaces(client, tenant)
    const bindings = claimed.flatMap((namespace) => bindingsIn(namespace, tenant))
    for (const binding of bindings) await client.apply(RoleBinding, binding)
    await removeUnwanted(client, tenant, bindings)

    const message = problems.join('; ')
    const conditions = tenant.status?.conditions
    if (message && message !== findCondition(conditions, 'Ready')?.message) {
      events.warning(tenant, 'NamespaceUnavailable', message)
    }
    const ready = message
      ? ({ type: 'Ready', status: 'False', reason: 'NamespaceUnavailable', message } as const)
      : ({ type: 'Ready', status: 'True', reason: 'NamespacesReady' } as const)
    await client.status.apply(Tenant, request, { conditions: setCondition(conditions, ready, clock) })
  })

/** The Tenants that name a Namespace: one that goes may be what another of them waits for. */
async function claimants({ metadata }: Namespace, { client }: HandlerContext) {
  const tenants = await client.list(Tenant)
  return tenants
    .filter(({ spec }) => spec.namespaces.includes(metadata.name))
    .map(({ metadata: { name } }) => ({ name }))
}

/** Makes the Namespaces that are missing. One that is not the Tenant's own is left alone: it is a problem to report. */
async function claimNamespaces(client: Client, tenant: Tenant) {
  const claimed: string[] = []
  const problems: string[] = []
  for (const name of tenant.spec.namespaces) {
    const ownerReferences = [controllerReference(tenant)]
    const namespace =
      (await client.get(Namespace, { name })) ??
      (await client.create(Namespace, { metadata: { name, ownerReferences } }))
    const owner = controllerOf(namespace)
    if (owner?.uid !== tenant.metadata.uid) {
      problems.push(`the Namespace ${name} belongs to ${owner ? `${owner.kind} ${owner.name}` : 'no Tenant'}`)
    } else if (namespace.metadata.deletionTimestamp) {
      problems.push(`the Namespace ${name} is being deleted`)
    } else {
      claimed.push(name)
    }
  }
  return { claimed, problems }
}

/** Removes what the Tenant owns and its spec no longer names: a member's rights first, then whole Namespaces. */
async function removeUnwanted(
  client: Client,
  tenant: Tenant,
  wanted: readonly ApplyOf<typeof RoleBinding>[],
) {
  for (const binding of await client.list(RoleBinding)) {
    const { namespace, name } = binding.metadata
    const isWanted = wanted.some(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
    if (!isWanted && hasOwnerReference(tenant, binding)) await client.delete(RoleBinding, { namespace, name })
  }
  for (const namespace of await client.list(Namespace)) {
    const { name, deletionTimestamp } = namespace.metadata
    if (deletionTimestamp || tenant.spec.namespaces.includes(name)) continue
    if (hasOwnerReference(tenant, namespace)) await client.delete(Namespace, { name })
  }
}

function memberRole(tenant: Tenant): ApplyOf<typeof ClusterRole> {
  return {
    metadata: { name: roleName(tenant), ownerReferences: [controllerReference(tenant)] },
    rules: [{ apiGroups: ['', 'apps', 'batch'], resources: ['*'], verbs: ['*'] }],
  }
}

function bindingsIn(namespace: string, tenant: Tenant): ApplyOf<typeof RoleBinding>[] {
  const apiGroup = 'rbac.authorization.k8s.io'
  return tenant.spec.members.map((member) => ({
    metadata: {
      namespace,
      name: `${roleName(tenant)}-${member}`,
      ownerReferences: [controllerReference(tenant)],
    },
    roleRef: { apiGroup, kind: 'ClusterRole', name: roleName(tenant) },
    subjects: [{ apiGroup, kind: 'User', name: member }],
  }))
}

function roleName(tenant: Tenant): string {
  return `tenant-${tenant.metadata.name}`
}
