import {
  collectionOf,
  storedObject,
  type ObservedChange,
  type Registry,
  type Resource,
} from '../registry/index.ts'
import type { Stored } from '../storage/index.ts'

/** Clients write these as time passes, so that they do not count as changes. */
const IGNORED: ReadonlySet<string> = new Set([
  '/events',
  'events.k8s.io/events',
  'coordination.k8s.io/leases',
])

interface ChangedObject {
  readonly resource: Resource
  readonly key: string
  /** The object at the time of the checkpoint; undefined if there was none. */
  readonly before: Stored | undefined
}

/**
 * The objects of a server at one moment. {@link restore} brings them back: watches see the changes, and uids stay as they were.
 * Events and Leases are left alone.
 */
export class Checkpoint {
  readonly #registry: Registry
  readonly #changed = new Map<string, ChangedObject>()

  constructor(registry: Registry) {
    this.#registry = registry
    registry.observe((change) => this.#note(change))
  }

  /** Whether nothing has been written since the checkpoint, or since it was restored. */
  get isCurrent(): boolean {
    return this.#changed.size === 0
  }

  /** Writes back every object that has changed, in the order of creation, so that owners come first. */
  restore(): void {
    const changed = [...this.#changed.values()]
    const registry = this.#registry
    for (const { resource, key, before } of changed.toReversed()) {
      if (!before) registry.remove(resource, key, registry.get(resource, key)?.revision ?? 0)
    }
    for (const { resource, key, before } of changed.toSorted((a, b) => revisionOf(a) - revisionOf(b))) {
      const revision = registry.get(resource, key)?.revision ?? 0
      if (before) registry.put(resource, key, revision, storedObject(before), true)
    }
    this.#changed.clear()
  }

  #note({ resource, key, previous }: ObservedChange): void {
    const collection = collectionOf(resource)
    if (IGNORED.has(collection)) return
    const id = `${collection} ${key}`
    if (!this.#changed.has(id)) this.#changed.set(id, { resource, key, before: previous })
  }
}

function revisionOf({ before }: ChangedObject): number {
  return before?.revision ?? 0
}
