import { turnOfTheEventLoop, type AnyKind } from '@homeostat/api'
import { collectionOf, keyIn, storedObject, type Registry, type ServerObject } from '../registry/index.ts'

/** Which kind is read from the store. */
export type StoredKind = Pick<AnyKind, 'group' | 'version' | 'plural'>

/** Which object is read from the store. */
export interface StoredName {
  readonly namespace?: string | undefined
  readonly name: string
}

/** A change of an object. */
export interface StoredChange<K extends StoredKind = StoredKind> {
  readonly kind: K
  /** The object as it is stored now, or its last state if it is gone. It is frozen. */
  readonly object: any
  readonly gone: boolean
}

/**
 * The objects of a server for code that simulates a part of the cluster. It sees and writes them without requests, watches and JSON,
 * which is many times cheaper.
 */
export class StoredObjects {
  readonly #registry: Registry

  constructor(registry: Registry) {
    this.#registry = registry
  }

  /**
   * Calls the listener for each object of these kinds that exists, and then for each change, in order, until the
   * server is closed. As with a watch, the listener is called a moment after the change, and simulated time waits
   * for it.
   */
  follow<K extends StoredKind>(kinds: readonly K[], listener: (change: StoredChange<K>) => void): void {
    const registry = this.#registry
    const followed = new Map(kinds.map((kind) => [`${kind.group}/${kind.plural}`, kind]))
    let waiting: StoredChange<K>[] = []
    const deliver = async (): Promise<void> => {
      using _ = registry.clock.busy('changes for the simulated cluster')
      await turnOfTheEventLoop()
      const changes = waiting
      waiting = []
      if (!registry.closed) for (const change of changes) listener(change)
    }
    const add = (change: StoredChange<K>): void => {
      waiting.push(change)
      if (waiting.length === 1) void deliver()
    }
    for (const [collection, kind] of followed) {
      for (const entry of registry.store.snapshot({ collection })) {
        add({ kind, object: storedObject(entry), gone: false })
      }
    }
    registry.observe(({ resource, entry, previous }) => {
      const kind = followed.get(collectionOf(resource))
      const last = entry ?? previous
      if (kind && last) add({ kind, object: storedObject(last), gone: !entry })
    })
  }

  /** An object as it is stored, frozen; `undefined` if it does not exist. */
  get(kind: StoredKind, name: StoredName): any {
    const found = this.#find(kind, name)
    return found && storedObject(found.entry)
  }

  /**
   * Stores a status as a controller of the cluster would have written it. It must be valid: nothing checks it. It has no managed fields,
   * and admission does not see it. Does nothing if the object does not exist.
   */
  putStatus(kind: StoredKind, name: StoredName, status: object): void {
    const found = this.#find(kind, name)
    if (!found) return
    const { resource, key, entry } = found
    const object: ServerObject = { ...storedObject(entry), status }
    this.#registry.put(resource, key, entry.revision, object)
  }

  #find({ group, version, plural }: StoredKind, { namespace, name }: StoredName) {
    const resource = this.#registry.catalogue.find(group, version, plural)
    if (!resource) return undefined
    const key = keyIn(resource, namespace, name)
    const entry = this.#registry.get(resource, key)
    return entry && { resource, key, entry }
  }
}
