import {
  apiVersionOf,
  formatKey,
  HomeostatError,
  parseApiVersion,
  type AnyKind,
  type OwnerReference,
} from '@homeostat/api'

/** An object that can own others: one that a server has stored. */
export interface Owner {
  readonly metadata: {
    readonly name: string
    readonly namespace?: string | undefined
    readonly uid: string
  }
}

/** An object whose owners can be changed: a draft of one's own. */
export interface Owned {
  metadata: {
    name?: string | undefined
    generateName?: string | undefined
    namespace?: string | undefined
    ownerReferences?: readonly Readonly<OwnerReference>[] | undefined
  }
}

type ReadonlyOwned = { readonly metadata: Readonly<Owned['metadata']> }

/**
 * The entry of `ownerReferences` that makes the owner the controller of an object: its changes are told
 * to the owner's controller, and it is deleted with the owner.
 */
export function controllerReference(owner: Owner, kind: AnyKind): OwnerReference {
  return { ...ownerReference(owner, kind), controller: true, blockOwnerDeletion: true }
}

/** The entry of `ownerReferences` for an owner that does not control the object: it is only deleted with it. */
export function ownerReference(owner: Owner, kind: AnyKind): OwnerReference {
  const { name, uid } = owner.metadata
  if (!uid) {
    throw new HomeostatError(
      'OWNER_NOT_STORED',
      `${kind.kind} ${formatKey(owner.metadata)} has no uid and can own nothing: use the object that the server gave back`,
    )
  }
  return { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid }
}

/**
 * Makes the owner the controller of the object, in place. Throws a `HomeostatError` when the owner is in
 * another namespace (`OWNER_NAMESPACE`) or another owner controls it already (`OWNER_TAKEN`).
 */
export function setControllerReference(owner: Owner, kind: AnyKind, object: Owned): void {
  const other = object.metadata.ownerReferences?.find((reference) => reference.controller)
  if (other && other.uid !== owner.metadata.uid) {
    throw new HomeostatError(
      'OWNER_TAKEN',
      `${nameOf(object)} is controlled by ${other.kind} ${other.name} already, so ${kind.kind} ${formatKey(owner.metadata)} cannot control it: use another name, or remove that owner first`,
    )
  }
  set(object, owner, kind, controllerReference(owner, kind))
}

/** Makes the owner one of the object's owners, in place. Throws like {@link setControllerReference}. */
export function setOwnerReference(owner: Owner, kind: AnyKind, object: Owned): void {
  set(object, owner, kind, ownerReference(owner, kind))
}

/** Whether the owner is among the object's owners. With `controller`, whether it controls it. */
export function hasOwner(
  object: ReadonlyOwned,
  owner: Owner,
  options: { controller?: boolean | undefined } = {},
): boolean {
  return (
    object.metadata.ownerReferences?.some(
      (reference) => reference.uid === owner.metadata.uid && (!options.controller || reference.controller),
    ) ?? false
  )
}

/** The owner that controls the object, if one does. */
export function controllerOf(object: ReadonlyOwned): Readonly<OwnerReference> | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller)
}

/** Removes the owner from the object's owners, in place. Answers whether it was there. */
export function removeOwner(object: Owned, owner: Owner): boolean {
  const { ownerReferences = [] } = object.metadata
  const others = ownerReferences.filter((reference) => reference.uid !== owner.metadata.uid)
  if (others.length === ownerReferences.length) return false
  object.metadata.ownerReferences = others
  return true
}

function set(object: Owned, owner: Owner, kind: AnyKind, reference: OwnerReference): void {
  checkNamespace(object, owner, kind)
  const { ownerReferences = [] } = object.metadata
  const at = ownerReferences.findIndex((existing) => isSame(existing, reference))
  object.metadata.ownerReferences =
    at < 0
      ? [...ownerReferences, reference]
      : ownerReferences.with(at, { ...ownerReferences[at], ...reference })
}

/** A cluster-scoped owner may own anything; one in a namespace only what is in the same. */
function checkNamespace(object: Owned, owner: Owner, kind: AnyKind): void {
  const { namespace } = owner.metadata
  if (kind.scope === 'Cluster' || !namespace || namespace === object.metadata.namespace) return
  const where = object.metadata.namespace
    ? `is in the namespace ${object.metadata.namespace}`
    : 'is in no namespace'
  throw new HomeostatError(
    'OWNER_NAMESPACE',
    `${kind.kind} ${formatKey(owner.metadata)} cannot own ${nameOf(object)}, which ${where}: the garbage collector would delete it. Put it into ${namespace}, or tie the two by a label and a finalizer`,
  )
}

/** An owner that was deleted and made again replaces its former self. */
function isSame(a: Readonly<OwnerReference>, b: OwnerReference): boolean {
  const [groupA, groupB] = [a, b].map(({ apiVersion }) => parseApiVersion(apiVersion).group)
  return groupA === groupB && a.kind === b.kind && a.name === b.name
}

function nameOf(object: Owned): string {
  const { name, generateName, namespace } = object.metadata
  return formatKey({ name: name ?? `${generateName ?? ''}…`, namespace })
}
