import {
  apiVersionOf,
  formatKey,
  HomeostatError,
  parseApiVersion,
  type AnyKind,
  type ObjectOf,
  type OwnerReference,
} from '@homeostat/api'

/** The fields that identify an object that a server has stored. */
export interface OwnerMetadata {
  readonly name: string
  readonly namespace?: string | undefined
  readonly uid: string
}

/** An object that can own others: one that a server has stored, as a client or a cache returned it. */
export interface Owner {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: OwnerMetadata
}

/**
 * An owner whose kind is given as an argument. The owner itself need not carry it, for example if the caller has only
 * its metadata.
 */
export interface OwnerOfKind<K extends AnyKind = AnyKind> {
  readonly kind?: ObjectOf<K>['kind'] | undefined
  readonly apiVersion?: ObjectOf<K>['apiVersion'] | undefined
  readonly metadata: OwnerMetadata
}

/** Any owner except a Scale. A Scale describes an object and is not one, so the garbage collector would not find it. */
export type NoDocument<O extends Owner> = O['kind'] extends 'Scale'
  ? 'A Scale describes an object and is not one: get the object itself'
  : O

/** An object whose owners can be changed: the caller's own draft. */
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
 * The entry of `ownerReferences` that makes the owner the controller of an object: the owner's controller is called
 * when the object changes, and the object is deleted with the owner. The owner usually carries its kind; `kind` is
 * for owners that do not.
 *
 * Throws a `HomeostatError` if no server has stored the owner (`OWNER_NOT_STORED`), if its kind is unknown
 * (`OWNER_KIND_UNKNOWN`), or if the given kind differs from the owner's own (`OWNER_KIND_MISMATCH`): the garbage
 * collector deletes an object whose owner it cannot find.
 */
export function controllerReference<O extends Owner>(owner: NoDocument<O>): OwnerReference
export function controllerReference<K extends AnyKind>(
  owner: OwnerOfKind<NoInfer<K>>,
  kind: K,
): OwnerReference
export function controllerReference(owner: Owner | OwnerOfKind, kind?: AnyKind): OwnerReference {
  return { ...referenceTo(owner, kind), controller: true, blockOwnerDeletion: true }
}

/**
 * The entry of `ownerReferences` for an owner that does not control the object: the object is only deleted
 * with it. Takes and throws the same as {@link controllerReference}.
 */
export function ownerReference<O extends Owner>(owner: NoDocument<O>): OwnerReference
export function ownerReference<K extends AnyKind>(owner: OwnerOfKind<NoInfer<K>>, kind: K): OwnerReference
export function ownerReference(owner: Owner | OwnerOfKind, kind?: AnyKind): OwnerReference {
  return referenceTo(owner, kind)
}

/**
 * Makes the owner the controller of the object, in place. An owner that was deleted and created again under
 * its name replaces the reference to its predecessor. Throws like {@link controllerReference}, and when the
 * owner is in another namespace (`OWNER_NAMESPACE`) or another owner controls the object (`OWNER_TAKEN`).
 */
export function setControllerReference<O extends Owner>(owner: NoDocument<O>, object: Owned): void
export function setControllerReference<K extends AnyKind>(
  owner: OwnerOfKind<NoInfer<K>>,
  object: Owned,
  kind: K,
): void
export function setControllerReference(owner: Owner | OwnerOfKind, object: Owned, kind?: AnyKind): void {
  const reference = referenceTo(owner, kind)
  const other = controllerOf(object)
  if (other && !isSame(other, reference)) {
    throw new HomeostatError(
      'OWNER_TAKEN',
      `${nameOf(object)} is already controlled by ${other.kind} ${other.name}, so ${reference.kind} ${formatKey(owner.metadata)} cannot control it: use another name, or remove that owner first`,
    )
  }
  set(object, owner, { ...reference, controller: true, blockOwnerDeletion: true })
}

/**
 * Makes the owner one of the object's owners, in place. Throws like {@link controllerReference}, and when the
 * owner is in another namespace (`OWNER_NAMESPACE`).
 */
export function setOwnerReference<O extends Owner>(owner: NoDocument<O>, object: Owned): void
export function setOwnerReference<K extends AnyKind>(
  owner: OwnerOfKind<NoInfer<K>>,
  object: Owned,
  kind: K,
): void
export function setOwnerReference(owner: Owner | OwnerOfKind, object: Owned, kind?: AnyKind): void {
  set(object, owner, referenceTo(owner, kind))
}

/**
 * Whether the owner, identified by its uid, is among the object's owners. With `controller`, whether the owner
 * controls the object.
 */
export function hasOwnerReference(
  owner: Owner | OwnerOfKind,
  object: ReadonlyOwned,
  options: { controller?: boolean | undefined } = {},
): boolean {
  return (
    object.metadata.ownerReferences?.some(
      (reference) => reference.uid === owner.metadata.uid && (!options.controller || reference.controller),
    ) ?? false
  )
}

/** Removes the owner, identified by its uid, from the object's owners, in place. Returns whether it was one of them. */
export function removeOwnerReference(owner: Owner | OwnerOfKind, object: Owned): boolean {
  const { ownerReferences = [] } = object.metadata
  const others = ownerReferences.filter((reference) => reference.uid !== owner.metadata.uid)
  if (others.length === ownerReferences.length) return false
  object.metadata.ownerReferences = others
  return true
}

/** The owner that controls the object, if one does. */
export function controllerOf(object: ReadonlyOwned): Readonly<OwnerReference> | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.controller)
}

function referenceTo(owner: Owner | OwnerOfKind, kind: AnyKind | undefined): OwnerReference {
  const type = ownerType(owner, kind)
  const { name, uid } = owner.metadata
  if (!uid) {
    throw new HomeostatError(
      'OWNER_NOT_STORED',
      `${type.kind} ${formatKey(owner.metadata)} has no uid, so it cannot own another object: use the object that the server returned`,
    )
  }
  return { ...type, name, uid }
}

/** Documents about an object, which carry its name and its uid but not its kind. */
const DOCUMENT_KINDS = new Set(['autoscaling/v1 Scale', 'meta.k8s.io/v1 PartialObjectMetadata'])

function ownerType(
  { apiVersion, kind: name, metadata }: Owner | OwnerOfKind,
  kind: AnyKind | undefined,
): { apiVersion: string; kind: string } {
  if (!apiVersion || !name) {
    if (kind) return { apiVersion: apiVersionOf(kind), kind: kind.kind }
    throw new HomeostatError(
      'OWNER_KIND_UNKNOWN',
      `the owner ${formatKey(metadata)} has no kind: use the object that a client or a cache returned, which has apiVersion and kind, or give the kind as the last argument`,
    )
  }
  if (DOCUMENT_KINDS.has(`${apiVersion} ${name}`)) {
    throw new HomeostatError(
      'OWNER_KIND_UNKNOWN',
      `${name} ${formatKey(metadata)} of ${apiVersion} describes an object and is not one, so it can own nothing: the garbage collector would delete what it owns. Get the object itself`,
    )
  }
  if (kind && (name !== kind.kind || apiVersion !== apiVersionOf(kind))) {
    throw new HomeostatError(
      'OWNER_KIND_MISMATCH',
      `the owner ${formatKey(metadata)} is a ${name} of ${apiVersion} and not a ${kind.kind} of ${apiVersionOf(kind)}: the garbage collector would delete what it owns. Leave the kind out, since the owner has its own`,
    )
  }
  return { apiVersion, kind: name }
}

function set(object: Owned, owner: Owner | OwnerOfKind, reference: OwnerReference): void {
  checkNamespace(object, owner, reference)
  const { ownerReferences = [] } = object.metadata
  const at = ownerReferences.findIndex((existing) => isSame(existing, reference))
  object.metadata.ownerReferences =
    at < 0
      ? [...ownerReferences, reference]
      : ownerReferences.with(at, { ...ownerReferences[at], ...reference })
}

/** A cluster-scoped owner may own any object; a namespaced owner only objects of its namespace. */
function checkNamespace(object: Owned, owner: Owner | OwnerOfKind, reference: OwnerReference): void {
  const { namespace } = owner.metadata
  if (!namespace || namespace === object.metadata.namespace) return
  const where = object.metadata.namespace
    ? `is in the namespace ${object.metadata.namespace}`
    : 'is in no namespace'
  throw new HomeostatError(
    'OWNER_NAMESPACE',
    `${reference.kind} ${formatKey(owner.metadata)} cannot own ${nameOf(object)}, which ${where}: the garbage collector would delete it. Put it into ${namespace}, or link the two with a label and a finalizer`,
  )
}

/** Whether both name the same owner. Its uid differs after it was deleted and created again. */
function isSame(a: Readonly<OwnerReference>, b: OwnerReference): boolean {
  const [groupA, groupB] = [a, b].map(({ apiVersion }) => parseApiVersion(apiVersion).group)
  return groupA === groupB && a.kind === b.kind && a.name === b.name
}

function nameOf(object: Owned): string {
  const { name, generateName, namespace } = object.metadata
  return formatKey({ name: name ?? `${generateName ?? ''}…`, namespace })
}
