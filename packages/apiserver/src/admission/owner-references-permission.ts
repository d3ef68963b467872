import type { OwnerReference } from '@homeostat/api'
import type { Authorizer, User } from '../auth/index.ts'
import type { Registry, ServerObject } from '../registry/index.ts'
import { equalJson } from '../schema/index.ts'
import type { AdmissionPlugin } from './admission-chain.ts'

/**
 * OwnerReferencesPermissionEnforcement: a user who changes the owners of an existing object must be allowed to delete
 * it, and one who sets `blockOwnerDeletion` must be allowed to update the owner's `finalizers`.
 */
export function ownerReferencesPermission(registry: Registry, authorizer: Authorizer): AdmissionPlugin {
  return {
    validate({ operation, resource, subresource, namespace, name, object, oldObject, user, refuse }) {
      if (!object || operation === 'DELETE' || equalJson(ownersOf(object), ownersOf(oldObject))) return
      if (operation !== 'CREATE') {
        const attributes = { verb: 'delete', path: '', resource, subresource, namespace, name }
        const { allowed, reason } = authorizer(user, attributes)
        if (!allowed) refuse(`cannot set an ownerRef on a resource you can't delete: ${reason}, <nil>`)
      }
      const blocking = newBlockingOwners(object, oldObject)
      if (blocking.length === 0 || mayFinalizeAnything(authorizer, user)) return
      for (const owner of blocking) {
        const why = finalizersProblem(registry, authorizer, user, owner, namespace)
        if (why !== undefined) refuse(why)
      }
    },
  }
}

function ownersOf(object: Readonly<ServerObject> | undefined): readonly OwnerReference[] {
  return (object?.metadata.ownerReferences as readonly OwnerReference[] | undefined) ?? []
}

/** The owners with `blockOwnerDeletion` that are new or did not have it before. */
function newBlockingOwners(
  object: ServerObject,
  oldObject: Readonly<ServerObject> | undefined,
): readonly OwnerReference[] {
  const blockedBefore = new Set(
    ownersOf(oldObject)
      .filter(({ blockOwnerDeletion }) => blockOwnerDeletion)
      .map(({ uid }) => uid),
  )
  return ownersOf(object).filter(
    ({ uid, blockOwnerDeletion }) => blockOwnerDeletion && !blockedBefore.has(uid),
  )
}

function mayFinalizeAnything(authorizer: Authorizer, user: User): boolean {
  const resource = { group: '*', version: '*', plural: '*' }
  return authorizer(user, { verb: 'update', path: '', resource, subresource: 'finalizers', name: '*' })
    .allowed
}

/** Why the user may not set `blockOwnerDeletion` for this owner; undefined where they may. */
function finalizersProblem(
  registry: Registry,
  authorizer: Authorizer,
  user: User,
  { apiVersion, kind, name }: OwnerReference,
  namespace: string | undefined,
): string | undefined {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const owners = registry.catalogue
    .all()
    .filter((each) => each.group === group && each.kind === kind && each.version === version)
  if (owners.length === 0) {
    return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`
  }
  for (const resource of owners) {
    const decision = authorizer(user, {
      verb: 'update',
      path: '',
      resource,
      subresource: 'finalizers',
      name,
      // A namespaced owner is in the namespace of its dependent.
      namespace: resource.scope === 'Namespaced' ? namespace : undefined,
    })
    if (decision.allowed) continue
    return `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${decision.reason}, <nil>`
  }
  return undefined
}
