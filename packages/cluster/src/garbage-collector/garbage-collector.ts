import {
  apiVersionOf,
  parseApiVersion,
  type AnyKind,
  type KubernetesObject,
  type OwnerReference,
} from '@homeostat/api'
import {
  controller,
  isKindNotServed,
  isNotFound,
  type Client,
  type Controller,
  type EventRecorder,
  type ExternalEvent,
  type KindFinder,
  type ReconcileContext,
  type Result,
  type ServedKind,
  type Source,
} from 'homeostat'
import { watchAllKinds, type FollowAllKinds } from './all-kinds.ts'
import { inParallel } from './in-parallel.ts'
import { kindOfOwner } from './served-kinds.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, OwnershipGraph, type GraphNode } from './ownership-graph.ts'

/** When to check again whether an owner that no watch has shown yet still exists. */
const UNSEEN_OWNER_CHECK = '30s'
const MOST_GONE = 500

/** The state of an object's owners. */
interface Standing {
  /** Owners that exist. */
  readonly solid: readonly OwnerReference[]
  /** Owners that do not exist. */
  readonly gone: readonly OwnerReference[]
  /** Owners that are being deleted in the foreground and wait for their dependents. */
  readonly waiting: readonly OwnerReference[]
  /** Whether a request found an owner that no watch has reported yet. */
  readonly unseen: boolean
}

/**
 * Deletes objects of any kind whose owners are all gone; kinds that are defined later are included. It also
 * performs foreground deletion (dependents first) and orphaning (dependents stay). A request names an object
 * by its uid: names can be used again, uids cannot. Owners are read from the server itself: a stale cache
 * would treat a new owner as deleted. `follow` reports changes, by default from watches of all kinds.
 */
export function garbageCollector(kinds: KindFinder, follow: FollowAllKinds = watchAllKinds): Controller {
  const collector = new Collector(kinds, follow)
  return controller('garbage-collector-controller')
    .watches(collector.source, (uids) => uids.map((name) => ({ name })))
    .options({ maxConcurrentReconciles: 20 })
    .reconcile(({ name }, context) => collector.collect(name, context))
}

class Collector {
  readonly #finder: KindFinder
  readonly #follow: FollowAllKinds
  readonly #graph = new OwnershipGraph()
  #kinds: readonly ServedKind[] = []
  /** Objects with an owner of a kind that is not served. They are checked again when other kinds are served. */
  readonly #undecided = new Set<string>()
  /** Owners that are gone, by their uid or by the request for them: other dependents need not ask the server again. */
  readonly #gone = new Set<string>()

  constructor(finder: KindFinder, follow: FollowAllKinds) {
    this.#finder = finder
    this.#follow = follow
  }

  /** The uids of objects to look at. */
  get source(): Source<ExternalEvent<readonly string[]>> {
    return {
      name: 'ownership of all kinds',
      start: (context, emit) => {
        const look = (uids: readonly string[]): void => {
          if (uids.length > 0) emit({ value: uids })
        }
        return this.#follow(this.#finder, context, {
          changed: (kind, type, { metadata }) =>
            look(type === 'deleted' ? this.#forget(metadata.uid) : this.#graph.set(kind, metadata)),
          gone: (kind) => look(this.#graph.uidsOf(kind).flatMap((uid) => this.#forget(uid))),
          served: (kinds) => {
            this.#kinds = kinds
            const undecided = [...this.#undecided]
            this.#undecided.clear()
            look(undecided)
          },
        })
      },
    }
  }

  /** Removes a deleted object. Returns the objects to check next. */
  #forget(uid: string): string[] {
    const look = this.#graph.delete(uid)
    if (look.length > 0) this.#noteGone(uid)
    return look
  }

  #noteGone(owner: string): void {
    if (this.#gone.size >= MOST_GONE) this.#gone.clear()
    this.#gone.add(owner)
  }

  /** Processes one object: deletes it, or updates it, as its owners and its own deletion require. */
  async collect(uid: string, { client, events }: ReconcileContext): Promise<Result> {
    const node = this.#graph.get(uid)
    if (!node) return undefined
    if (node.orphaning) return this.#orphan(node, client)
    if (node.foreground) return this.#finishForeground(node, client)
    if (node.deleting || node.owners.length === 0) return undefined
    if (node.owners.every((owner) => this.#isSolid(node, owner))) return undefined
    const object = await this.#read(node, client)
    if (!object) return undefined
    const standing = await this.#standing(node, client, object.metadata.ownerReferences ?? [], events)
    if (standing === 'unserved') this.#undecided.add(uid)
    if (standing === 'unserved' || standing === 'invalid') return undefined
    if (standing.solid.length > 0) {
      if (standing.gone.length + standing.waiting.length > 0)
        await this.#keepOwners(node, client, object, standing.solid)
      return standing.unseen ? { requeueAfter: UNSEEN_OWNER_CHECK } : undefined
    }
    if (standing.gone.length + standing.waiting.length === 0) return undefined
    const dependents = this.#graph.dependentsOf(uid)
    const foreground = standing.waiting.length > 0 && dependents.length > 0
    const circle = foreground && dependents.some((dependent) => dependent.foreground)
    const current = circle ? await this.#unblock(node, client, object) : object
    if (current) await this.#delete(node, client, current, foreground)
    return undefined
  }

  /**
   * Whether the watches know this owner, and it is not being deleted in the foreground. An object that has only such
   * owners needs no request: a change of its owners is an event that leads here again.
   */
  #isSolid(node: GraphNode, owner: OwnerReference): boolean {
    const seen = this.#graph.get(owner.uid)
    return seen !== undefined && !isElsewhere(seen, node) && isMeant(seen, owner) && !seen.foreground
  }

  /**
   * `unserved` where the answer is not known, since an owner is of a kind that is not served. `invalid` where a
   * cluster-scoped object names a namespaced owner.
   */
  async #standing(
    node: GraphNode,
    client: Client,
    owners: readonly OwnerReference[],
    events: EventRecorder,
  ): Promise<Standing | 'unserved' | 'invalid'> {
    const standing = {
      solid: [] as OwnerReference[],
      gone: [] as OwnerReference[],
      waiting: [] as OwnerReference[],
    }
    let unseen = false
    for (const owner of owners) {
      const seen = this.#graph.get(owner.uid)
      if (seen && isElsewhere(seen, node)) reportElsewhere(node, owner, events)
      else if (seen && isMeant(seen, owner)) {
        standing[seen.foreground ? 'waiting' : 'solid'].push(owner)
        continue
      }
      const kind = kindOfOwner(this.#kinds, owner)
      // Its kind may have gone with it.
      if (!kind && this.#gone.has(owner.uid)) {
        standing.gone.push(owner)
        continue
      }
      if (!kind) return 'unserved'
      if (kind.scope === 'Namespaced' && node.key.namespace === undefined) return 'invalid'
      if (await this.#exists(kind, owner, client, node.key.namespace)) {
        standing.solid.push(owner)
        unseen = true
      } else {
        standing.gone.push(owner)
      }
    }
    return { ...standing, unseen }
  }

  /** Whether the server has the owner. A deleted owner does not come back, because no other object gets its uid. */
  async #exists(
    kind: AnyKind,
    owner: OwnerReference,
    client: Client,
    from: string | undefined,
  ): Promise<boolean> {
    const namespace = kind.scope === 'Namespaced' ? from : undefined
    const identity = [kind.group, kind.kind, namespace, owner.name, owner.uid].join('/')
    if (this.#gone.has(owner.uid) || this.#gone.has(identity)) return false
    const found = await client.live.get(kind, { namespace, name: owner.name })
    if (found?.metadata.uid === owner.uid) return true
    this.#noteGone(identity)
    return false
  }

  /** Releases an object that is deleted in the foreground, once no dependent blocks it. */
  async #finishForeground(node: GraphNode, client: Client): Promise<Result> {
    if (this.#graph.hasBlockingDependent(node.uid)) return undefined
    const object = await this.#read(node, client)
    if (object) await this.#removeFinalizer(node, client, object, FOREGROUND_FINALIZER)
    return undefined
  }

  /** Removes the object from the owners of its dependents, and then releases it. */
  async #orphan(node: GraphNode, client: Client): Promise<Result> {
    await inParallel(this.#graph.dependentsOf(node.uid), async (dependent) => {
      const object = await this.#read(dependent, client)
      const rest = object?.metadata.ownerReferences?.filter(({ uid }) => uid !== node.uid)
      if (object && rest && rest.length < (object.metadata.ownerReferences ?? []).length) {
        await this.#keepOwners(dependent, client, object, rest)
      }
    })
    const object = await this.#read(node, client)
    if (object) await this.#removeFinalizer(node, client, object, ORPHAN_FINALIZER)
    return undefined
  }

  /** The object as the server has it now, if it is still the same one. */
  async #read(node: GraphNode, client: Client): Promise<KubernetesObject | undefined> {
    try {
      const object: KubernetesObject | undefined = await client.live.get(node.kind, node.key)
      return object?.metadata.uid === node.uid ? object : undefined
    } catch (error) {
      // Its CRD is gone, and all objects with it.
      if (isKindNotServed(error)) return undefined
      throw error
    }
  }

  async #delete(
    node: GraphNode,
    client: Client,
    object: KubernetesObject,
    foreground: boolean,
  ): Promise<void> {
    const { uid, resourceVersion, finalizers = [] } = object.metadata
    const kept = finalizers.includes(ORPHAN_FINALIZER)
      ? 'Orphan'
      : finalizers.includes(FOREGROUND_FINALIZER)
        ? 'Foreground'
        : 'Background'
    await client.delete(node.kind, node.key, {
      propagation: foreground ? 'Foreground' : kept,
      // A client may have given it another owner since.
      preconditions: { uid, resourceVersion },
    })
  }

  #keepOwners(
    node: GraphNode,
    client: Client,
    object: KubernetesObject,
    owners: readonly OwnerReference[],
  ): Promise<unknown> {
    return this.#patch(node, client, object, { ownerReferences: owners.length > 0 ? owners : null })
  }

  /** In a cycle of owners each would wait for the other: this one stops blocking. */
  #unblock(node: GraphNode, client: Client, object: KubernetesObject): Promise<KubernetesObject | undefined> {
    const owners = object.metadata.ownerReferences ?? []
    return this.#patch(node, client, object, {
      ownerReferences: owners.map((owner) => ({ ...owner, blockOwnerDeletion: false })),
    })
  }

  #removeFinalizer(
    node: GraphNode,
    client: Client,
    object: KubernetesObject,
    finalizer: string,
  ): Promise<unknown> {
    const { finalizers = [] } = object.metadata
    if (!finalizers.includes(finalizer)) return Promise.resolve()
    const rest = finalizers.filter((other) => other !== finalizer)
    return this.#patch(node, client, object, { finalizers: rest.length > 0 ? rest : null })
  }

  /** Changes the metadata of exactly this version of the object; `undefined` when the object is gone. */
  async #patch(
    node: GraphNode,
    client: Client,
    object: KubernetesObject,
    metadata: object,
  ): Promise<KubernetesObject | undefined> {
    const { uid, resourceVersion } = object.metadata
    const body = { metadata: { ...metadata, uid, resourceVersion } }
    try {
      return (await client.patch(node.kind, node.key, { type: 'merge', body })) as KubernetesObject
    } catch (error) {
      if (!isNotFound(error)) throw error
      return undefined
    }
  }
}

/** An owner must be in the namespace of its dependent: a reference to another namespace does not count. */
function isElsewhere(owner: GraphNode, node: GraphNode): boolean {
  return owner.key.namespace !== undefined && owner.key.namespace !== node.key.namespace
}

/** Whether the reference names the object that has its uid. */
function isMeant({ kind, key }: GraphNode, owner: OwnerReference): boolean {
  return (
    key.name === owner.name &&
    kind.kind === owner.kind &&
    kind.group === parseApiVersion(owner.apiVersion).group
  )
}

function reportElsewhere(node: GraphNode, owner: OwnerReference, events: EventRecorder): void {
  const { kind, key, uid } = node
  const { namespace = '' } = key
  const reference = `[${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}]`
  events.warning(
    { apiVersion: apiVersionOf(kind), kind: kind.kind, metadata: { ...key, uid } },
    'OwnerRefInvalidNamespace',
    `ownerRef ${reference} does not exist in namespace ${JSON.stringify(namespace)}`,
  )
}
