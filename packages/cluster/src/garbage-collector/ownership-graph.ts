import type { AnyKind, DeepReadonly, ObjectKey, ObjectMeta, OwnerReference } from '@homeostat/api'

/** The part of an object that the garbage collector needs. */
export interface GraphNode {
  readonly uid: string
  readonly kind: AnyKind
  readonly key: ObjectKey
  readonly owners: readonly DeepReadonly<OwnerReference>[]
  readonly deleting: boolean
  /** It waits until its blocking dependents are gone. */
  readonly foreground: boolean
  /** Its deletion waits until no dependent names it as an owner. */
  readonly orphaning: boolean
}

/** Put on an object that is deleted in the foreground. */
export const FOREGROUND_FINALIZER = 'foregroundDeletion'
/** The finalizer of an object whose dependents are orphaned. */
export const ORPHAN_FINALIZER = 'orphan'

/**
 * The owners and dependents of all objects of all kinds, by uid. For each change it returns the objects to check.
 * Checking an object needlessly does no harm.
 */
export class OwnershipGraph {
  readonly #nodes = new Map<string, GraphNode>()
  readonly #dependents = new Map<string, Set<string>>()

  get(uid: string): GraphNode | undefined {
    return this.#nodes.get(uid)
  }

  /** The objects that name this one as an owner, whether it is known or not. */
  dependentsOf(uid: string): GraphNode[] {
    return [...(this.#dependents.get(uid) ?? [])].flatMap((dependent) => this.#nodes.get(dependent) ?? [])
  }

  /** Whether a dependent blocks the deletion of this owner in the foreground. */
  hasBlockingDependent(uid: string): boolean {
    for (const dependent of this.#dependents.get(uid) ?? []) {
      const owners = this.#nodes.get(dependent)?.owners
      if (owners?.some((owner) => owner.uid === uid && owner.blockOwnerDeletion)) return true
    }
    return false
  }

  /** Adds or updates an object. */
  set(kind: AnyKind, metadata: DeepReadonly<ObjectMeta>): string[] {
    const { uid, namespace, name, ownerReferences: owners = [], finalizers = [] } = metadata
    const deleting = metadata.deletionTimestamp !== undefined
    const node: GraphNode = {
      uid,
      kind,
      key: namespace ? { namespace, name } : { name },
      owners,
      deleting,
      foreground: deleting && finalizers.includes(FOREGROUND_FINALIZER),
      orphaning: deleting && finalizers.includes(ORPHAN_FINALIZER),
    }
    const before = this.#nodes.get(uid)
    this.#nodes.set(uid, node)
    const look = new Set<string>()
    for (const owner of before?.owners ?? []) {
      if (!owners.some((now) => now.uid === owner.uid)) this.#unlink(owner.uid, uid)
      if (this.#nodes.get(owner.uid)?.foreground) look.add(owner.uid)
    }
    for (const owner of owners) {
      this.#link(owner.uid, uid)
      const known = this.#nodes.get(owner.uid)
      // An owner that was not seen yet may be one that does not exist.
      if (!known || known.foreground || !same(before, node)) look.add(uid)
    }
    if (node.foreground || node.orphaning) look.add(uid)
    if (node.foreground && !before?.foreground) for (const each of this.dependentsOf(uid)) look.add(each.uid)
    return [...look]
  }

  /** An object is gone: its dependents may be garbage now, and its owners may be waiting for it. */
  delete(uid: string): string[] {
    const node = this.#nodes.get(uid)
    this.#nodes.delete(uid)
    const look = new Set(this.dependentsOf(uid).map((dependent) => dependent.uid))
    for (const owner of node?.owners ?? []) {
      this.#unlink(owner.uid, uid)
      if (this.#nodes.get(owner.uid)?.foreground) look.add(owner.uid)
    }
    return [...look]
  }

  /** The objects of a kind. */
  uidsOf({ group, plural }: AnyKind): string[] {
    const nodes = [...this.#nodes.values()].filter(
      ({ kind }) => kind.group === group && kind.plural === plural,
    )
    return nodes.map(({ uid }) => uid)
  }

  #link(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner)
    if (known) known.add(dependent)
    else this.#dependents.set(owner, new Set([dependent]))
  }

  #unlink(owner: string, dependent: string): void {
    const known = this.#dependents.get(owner)
    known?.delete(dependent)
    if (known?.size === 0) this.#dependents.delete(owner)
  }
}

function same(a: GraphNode | undefined, b: GraphNode): boolean {
  return (
    a !== undefined &&
    a.owners.length === b.owners.length &&
    a.owners.every((owner, i) => owner.uid === b.owners[i]?.uid)
  )
}
