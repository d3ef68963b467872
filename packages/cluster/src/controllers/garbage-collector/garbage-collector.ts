import type { AnyKind, KubernetesObject, OwnerReference } from '@homeostat/api'
import { CustomResourceDefinition } from '@homeostat/api/kinds'
import {
  controller,
  isKindNotServed,
  isNotFound,
  type Client,
  type Controller,
  type ExternalEvent,
  type KindFinder,
  type Result,
  type ServedKind,
  type Source,
} from 'homeostat'
import { collectable, kindOfOwner } from '../served-kinds.ts'
import { FOREGROUND_FINALIZER, ORPHAN_FINALIZER, OwnershipGraph, type GraphNode } from './ownership-graph.ts'

/** Kinds whose objects own nothing and are owned by nobody, and come in great numbers. */
const IGNORED = new Set(['/events', 'events.k8s.io/events'])
/** When to look again whether an owner still exists that no watch has shown yet. */
const UNSEEN_OWNER_CHECK = '30s'
const DISCOVERY_RETRY = 1_000
const MOST_GONE = 500

/** How an object's owners stand. */
interface Standing {
  /** They exist. */
  readonly solid: readonly OwnerReference[]
  /** They do not. */
  readonly gone: readonly OwnerReference[]
  /** They are being deleted in the foreground and wait for their dependents. */
  readonly waiting: readonly OwnerReference[]
  /** Whether one was found by asking, but has not been seen by a watch. */
  readonly unseen: boolean
}

/**
 * Deletes objects whose owners are all gone, of every kind that the server serves, custom ones as they
 * come. It also carries out deletion in the foreground (dependents first) and orphaning (dependents stay).
 * A request names an object by its uid: names can be used again, uids cannot.
 *
 * What exists is read from the server itself: a cache that is behind would take an owner that was just made
 * for one that is gone.
 */
export function garbageCollector(kinds: KindFinder): Controller {
  const collector = new Collector(kinds)
  return controller('generic-garbage-collector')
    .watches(collector.source, (uids) => uids.map((name) => ({ name })))
    .options({ maxConcurrentReconciles: 20 })
    .reconcile(({ name }, { client }) => collector.collect(name, client))
}

class Collector {
  readonly #finder: KindFinder
  readonly #graph = new OwnershipGraph()
  #kinds: readonly ServedKind[] = []
  /** Objects with an owner of a kind that is not served: to be looked at again when other kinds are. */
  readonly #undecided = new Set<string>()
  /** Owners that were found not to exist: their other dependents need not ask again. */
  readonly #gone = new Set<string>()

  constructor(finder: KindFinder) {
    this.#finder = finder
  }

  /** The uids of objects to look at, from watches of all kinds. */
  get source(): Source<ExternalEvent<readonly string[]>> {
    return {
      name: 'ownership of all kinds',
      start: async ({ cache, clock, signal }, emit) => {
        const watched = new Set<string>()
        const watch = (kind: AnyKind): Promise<void> => {
          watched.add(nameOf(kind))
          const informer = cache.informer(kind)
          const listening = informer.listen((event) => {
            const { metadata } = event.object as KubernetesObject
            const look =
              event.type === 'deleted' ? this.#graph.delete(metadata.uid) : this.#graph.set(kind, metadata)
            if (look.length > 0) emit({ value: look })
          })
          signal.addEventListener('abort', () => listening[Symbol.dispose](), { once: true })
          return informer.whenSynced({ signal })
        }
        const watchNewKinds = async (): Promise<void> => {
          this.#kinds = await this.#finder.list({ signal })
          const kinds = collectable(this.#kinds).filter((kind) => !IGNORED.has(nameOf(kind)))
          await Promise.all(kinds.filter((kind) => !watched.has(nameOf(kind))).map(watch))
          const undecided = [...this.#undecided]
          this.#undecided.clear()
          if (undecided.length > 0) emit({ value: undecided })
        }
        const keepUp = (): void => {
          watchNewKinds().catch(() => {
            if (!signal.aborted) clock.schedule(DISCOVERY_RETRY, keepUp)
          })
        }
        await watchNewKinds()
        const definitions = cache.informer(CustomResourceDefinition).listen(keepUp)
        signal.addEventListener('abort', () => definitions[Symbol.dispose](), { once: true })
      },
    }
  }

  /** Looks at one object, and does what its owners and its own deletion ask for. */
  async collect(uid: string, client: Client): Promise<Result> {
    const node = this.#graph.get(uid)
    if (!node) return undefined
    if (node.orphaning) return this.#orphan(node, client)
    if (node.foreground) return this.#finishForeground(node, client)
    if (node.deleting || node.owners.length === 0) return undefined
    const object = await this.#read(node, client)
    if (!object) return undefined
    const standing = await this.#standing(node, client, object.metadata.ownerReferences ?? [])
    if (!standing) {
      this.#undecided.add(uid)
      return undefined
    }
    if (standing.solid.length > 0) {
      if (standing.gone.length + standing.waiting.length > 0)
        await this.#keepOwners(node, client, object, standing.solid)
      return standing.unseen ? { requeueAfter: UNSEEN_OWNER_CHECK } : undefined
    }
    if (standing.gone.length + standing.waiting.length === 0) return undefined
    const dependents = this.#graph.dependentsOf(uid)
    const foreground = standing.waiting.length > 0 && dependents.length > 0
    if (foreground && dependents.some((dependent) => dependent.foreground))
      await this.#unblock(node, client, object)
    await this.#delete(node, client, object, foreground)
    return undefined
  }

  /** `undefined` where it cannot be told: an owner is of a kind that is not served. */
  async #standing(
    node: GraphNode,
    client: Client,
    owners: readonly OwnerReference[],
  ): Promise<Standing | undefined> {
    const standing = {
      solid: [] as OwnerReference[],
      gone: [] as OwnerReference[],
      waiting: [] as OwnerReference[],
    }
    let unseen = false
    for (const owner of owners) {
      const seen = this.#graph.get(owner.uid)
      if (seen) {
        // An owner in another namespace is none: names of namespaced objects mean the same namespace.
        const elsewhere = seen.key.namespace !== undefined && seen.key.namespace !== node.key.namespace
        standing[elsewhere ? 'gone' : seen.foreground ? 'waiting' : 'solid'].push(owner)
        continue
      }
      const kind = kindOfOwner(this.#kinds, owner)
      if (!kind) return undefined
      if (await this.#exists(kind, owner, client, node.key.namespace)) {
        standing.solid.push(owner)
        unseen = true
      } else {
        standing.gone.push(owner)
      }
    }
    return { ...standing, unseen }
  }

  /** Whether the server has the owner. One that is gone does not come back: its uid is never used again. */
  async #exists(
    kind: AnyKind,
    owner: OwnerReference,
    client: Client,
    from: string | undefined,
  ): Promise<boolean> {
    const namespace = kind.scope === 'Namespaced' ? from : undefined
    const identity = [kind.group, kind.kind, namespace, owner.name, owner.uid].join('/')
    if (this.#gone.has(identity)) return false
    const nowhere = kind.scope === 'Namespaced' && namespace === undefined
    const found = nowhere ? undefined : await client.live.get(kind, { namespace, name: owner.name })
    if (found?.metadata.uid === owner.uid) return true
    if (this.#gone.size >= MOST_GONE) this.#gone.clear()
    this.#gone.add(identity)
    return false
  }

  /** Lets an object go that was deleted in the foreground, once no dependent blocks it. */
  async #finishForeground(node: GraphNode, client: Client): Promise<Result> {
    if (this.#graph.blockingDependentsOf(node.uid).length > 0) return undefined
    const object = await this.#read(node, client)
    if (object) await this.#removeFinalizer(node, client, object, FOREGROUND_FINALIZER)
    return undefined
  }

  /** Takes the object out of its dependents' owners, and then lets it go. */
  async #orphan(node: GraphNode, client: Client): Promise<Result> {
    for (const dependent of this.#graph.dependentsOf(node.uid)) {
      const object = await this.#read(dependent, client)
      const rest = object?.metadata.ownerReferences?.filter(({ uid }) => uid !== node.uid)
      if (object && rest && rest.length < (object.metadata.ownerReferences ?? []).length) {
        await this.#keepOwners(dependent, client, object, rest)
      }
    }
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
      // Someone may have given it another owner since.
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
  #unblock(node: GraphNode, client: Client, object: KubernetesObject): Promise<void> {
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
  ): Promise<void> {
    const { finalizers = [] } = object.metadata
    if (!finalizers.includes(finalizer)) return Promise.resolve()
    const rest = finalizers.filter((other) => other !== finalizer)
    return this.#patch(node, client, object, { finalizers: rest.length > 0 ? rest : null })
  }

  /** Changes metadata of this very version of the object. */
  async #patch(node: GraphNode, client: Client, object: KubernetesObject, metadata: object): Promise<void> {
    const { uid, resourceVersion } = object.metadata
    const body = { metadata: { ...metadata, uid, resourceVersion } }
    try {
      await client.patch(node.kind, node.key, { type: 'merge', body })
    } catch (error) {
      // Gone meanwhile: there is nothing left to change.
      if (!isNotFound(error)) throw error
    }
  }
}

function nameOf(kind: AnyKind): string {
  return `${kind.group}/${kind.plural}`
}
