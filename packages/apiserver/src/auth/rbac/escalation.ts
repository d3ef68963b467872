import { failure } from '@homeostat/api'
import { Failure, type ServerObject } from '../../registry/index.ts'
import { equalJson, listOf, objectOf, quote, textOf } from '../../schema/index.ts'
import type { Asking, Authorizer } from '../access/authorize.ts'
import { MASTERS, type User } from '../access/user.ts'
import { describeRights, missingRights, quoteAll } from './covers.ts'
import { rulesIn, type PolicyRule } from './policy-rule.ts'
import { RBAC_GROUP, type Rbac, type RoleRef } from './rbac.ts'

/** A write of a role or binding. */
export interface RoleWrite {
  readonly plural: string
  readonly namespace?: string | undefined
  /** The name in the path; a new object has none there. */
  readonly pathName?: string | undefined
  readonly object: ServerObject
  readonly old?: ServerObject | undefined
}

const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'], resourceNames: [], nonResourceURLs: [] },
  { verbs: ['*'], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: ['*'] },
]

/**
 * Refuses a role with rights that its writer does not have, and a binding to such a role: a user can grant only their own
 * rights, unless they may `escalate` roles or `bind` them.
 */
export function* refuseEscalation(
  rbac: Rbac,
  authorizer: Authorizer,
  user: User,
  write: RoleWrite,
): Asking<void> {
  if (user.groups.includes(MASTERS)) return
  if (write.plural === 'roles' || write.plural === 'clusterroles') {
    yield* checkRole(rbac, authorizer, user, write)
  } else if (write.plural === 'rolebindings' || write.plural === 'clusterrolebindings') {
    yield* checkBinding(rbac, authorizer, user, write)
  }
}

function* checkRole(rbac: Rbac, authorizer: Authorizer, user: User, write: RoleWrite): Asking<void> {
  const { plural, namespace, object, old } = write
  const resource = { group: RBAC_GROUP, version: '*', plural }
  const escalate = { verb: 'escalate', path: '', resource, namespace, name: write.pathName }
  const { allowed } = yield authorizer(user, escalate)
  if (allowed || isGarbageCollection(object, old)) return
  confirmHeld(rbac, user, write, rulesIn(object))
  if (aggregates(object) || (old !== undefined && aggregates(old))) {
    if (missingRights(rbac.rulesFor(user, namespace).rules, EVERYTHING).length === 0) return
    throw refusal(write, 'must have cluster-admin privileges to use the aggregationRule')
  }
}

function* checkBinding(rbac: Rbac, authorizer: Authorizer, user: User, write: RoleWrite): Asking<void> {
  const { namespace, object, old } = write
  if (isGarbageCollection(object, old)) return
  const { kind, name, apiGroup } = objectOf(object['roleRef'])
  const roleRef = { kind: textOf(kind), name: textOf(name) }
  const plural = roleRef.kind === 'Role' ? 'roles' : 'clusterroles'
  const resource = { group: textOf(apiGroup), version: '*', plural }
  const bind = { verb: 'bind', path: '', resource, namespace, name: roleRef.name }
  const { allowed } = yield authorizer(user, bind)
  if (allowed) return
  confirmHeld(rbac, user, write, rulesOf(rbac, write, roleRef))
}

/** The API's answer for a missing role names a binding with the role's name. */
function rulesOf(rbac: Rbac, { plural, namespace }: RoleWrite, roleRef: RoleRef): readonly PolicyRule[] {
  try {
    return rbac.roleRules(roleRef, namespace ?? '')
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(failure.notFound({ group: RBAC_GROUP, plural }, roleRef.name))
  }
}

function confirmHeld(rbac: Rbac, user: User, write: RoleWrite, rules: readonly PolicyRule[]): void {
  const held = rbac.rulesFor(user, write.namespace)
  const missing = missingRights(held.rules, rules)
  if (missing.length === 0) return
  const who = `user ${quote(user.name)} (groups=${quoteAll(user.groups)})`
  const problems = held.problem === '' ? '' : `; resolution errors: [${held.problem}]`
  throw refusal(
    write,
    `${who} is attempting to grant RBAC permissions not currently held:\n${describeRights(missing)}${problems}`,
  )
}

function refusal({ plural, object }: RoleWrite, why: string): Failure {
  return new Failure(failure.forbidden({ group: RBAC_GROUP, plural }, object.metadata.name ?? '', why))
}

/** Whether a change affects only the fields that a garbage collector writes. */
function isGarbageCollection(object: ServerObject, old: ServerObject | undefined): boolean {
  return old !== undefined && equalJson(kept(object), kept(old))
}

function kept({ metadata, ...rest }: ServerObject): object {
  const { ownerReferences: _, finalizers: __, managedFields: ___, ...meta } = metadata
  return { ...rest, metadata: meta }
}

function aggregates(role: ServerObject): boolean {
  return listOf(objectOf(role['aggregationRule'])['clusterRoleSelectors']).length > 0
}
