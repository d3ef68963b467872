import type { OwnerReference } from '@homeostat/api'
import { whenDecided, type Asking, type Authorizer, type Decision, type User } from '../auth/index.ts'
import type { Registry, ServerObject } from '../registry/index.ts'
import { equalJson } from '../schema/index.ts'
import type { AdmissionPlugin } from './admission-chain.ts'
import type { AdmissionRequest } from './admission-request.ts'

/**
 * OwnerReferencesPermissionEnforcement: a user who changes the owners of an existing object must be allowed to delete
 * it, and one who sets `blockOwnerDeletion` must be allowed to update the owner's `finalizers`.
 */
export function ownerReferencesPermission(registry: Registry, authorizer: Authorizer): AdmissionPlugin {
  return {
    validate(request) {
      const { object, oldObject, operation } = request
      if (!object || operation === 'DELETE' || equalJson(ownersOf(object), ownersOf(oldObject)))
        return undefined
      return whenDecided(checkOwners(registry, authorizer, request, object))
    },
  }
}

function* checkOwners(
  registry: Registry,
  authorizer: Authorizer,
  { operation, resource, subresource, namespace, name, oldObject, user, refuse }: AdmissionRequest,
  object: ServerObject,
): Asking<void> {
  if (operation !== 'CREATE') {
    const attributes = { verb: 'delete', path: '', resource, subresource, namespace, name }
    const decision = yield authorizer(user, attributes)
    if (!decision.allowed) {
      refuse(`cannot set an ownerRef on a resource you can't delete: ${explained(decision)}`)
    }
  }
  const blocking = newBlockingOwners(object, oldObject)
  if (blocking.length === 0) return
  const { allowed } = yield mayFinalizeAnything(authorizer, user)
  if (allowed) return
  for (const owner of blocking) {
    const why = yield* finalizersProblem(registry, authorizer, user, owner, namespace)
    if (why !== undefined) refuse(why)
  }
}

/** The reason and the error of a decision, as Go prints both. */
function explained({ reason, error }: Decision): string {
  return `${reason}, ${error ?? '<nil>'}`
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

function mayFinalizeAnything(authorizer: Authorizer, user: User): ReturnType<Authorizer> {
  const resource = { group: '*', version: '*', plural: '*' }
  return authorizer(user, { verb: 'update', path: '', resource, subresource: 'finalizers', name: '*' })
}

/** Why the user may not set `blockOwnerDeletion` for this owner; undefined where they may. */
function* finalizersProblem(
  registry: Registry,
  authorizer: Authorizer,
  user: User,
  { apiVersion, kind, name }: OwnerReference,
  namespace: string | undefined,
): Asking<string | undefined> {
  const [version = '', group = ''] = apiVersion.split('/').toReversed()
  const owners = registry.catalogue
    .all()
    .filter((each) => each.group === group && each.kind === kind && each.version === version)
  if (owners.length === 0) {
    return `cannot set blockOwnerDeletion in this case because cannot find RESTMapping for APIVersion ${apiVersion} Kind ${kind}: no matches for kind "${kind}" in version "${apiVersion}"`
  }
  for (const resource of owners) {
    const decision = yield authorizer(user, {
      verb: 'update',
      path: '',
      resource,
      subresource: 'finalizers',
      name,
      // A namespaced owner is in the namespace of its dependent.
      namespace: resource.scope === 'Namespaced' ? namespace : undefined,
    })
    if (decision.allowed) continue
    return `cannot set blockOwnerDeletion if an ownerReference refers to a resource you can't set finalizers on: ${explained(decision)}`
  }
  return undefined
}
