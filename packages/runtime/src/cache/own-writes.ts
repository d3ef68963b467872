import { formatKey, keyOf, type Clock, type KubernetesObject, type ObjectKey } from '@homeostat/api'
import { compareVersions } from '../watch/resource-version.ts'
import type { ObjectStore } from './object-store.ts'

/** How long a deletion is remembered if no event of it comes: the event came before, or never will. */
const DELETION_MILLISECONDS = 600_000

/**
 * What this process wrote and its watch has not shown yet. It lies over the store, so that a read is never
 * older than an own write. A written object stays until the watch has come as far as its version. Of a
 * deletion no version is known, but the uid of what is gone never comes back: it hides that one object.
 */
export class OwnWrites {
  readonly #clock: Clock
  readonly #store: ObjectStore
  readonly #written = new Map<string, KubernetesObject>()
  /** When each uid was seen to go. */
  readonly #deleted = new Map<string, number>()

  constructor(store: ObjectStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** How many objects and deletions it holds. */
  get size(): number {
    return this.#written.size + this.#deleted.size
  }

  /** `seen` is the version up to which the watch has told everything; without one, nothing yet. */
  wrote(object: KubernetesObject, seen: string | undefined): void {
    const key = formatKey(keyOf(object))
    if (seen !== undefined && isAtLeast(seen, object.metadata.resourceVersion)) return
    const newest = this.#written.get(key) ?? this.#store.get(object.metadata)
    if (newest && isAtLeast(newest.metadata.resourceVersion, object.metadata.resourceVersion)) return
    this.#written.set(key, object)
  }

  /** Without a uid it is the object that is known by this name. */
  deleted(key: ObjectKey, uid: string | undefined): void {
    const gone = uid ?? this.get(key)?.metadata.uid
    if (gone === undefined) return
    this.#deleted.set(gone, this.#clock.monotonic())
    const written = this.#written.get(formatKey(key))
    if (written?.metadata.uid === gone) this.#written.delete(formatKey(key))
  }

  /** The watch has shown this object, at its version. */
  shown(object: KubernetesObject): void {
    if (this.#written.size === 0) return
    const key = formatKey(keyOf(object))
    const written = this.#written.get(key)
    if (written && isAtLeast(object.metadata.resourceVersion, written.metadata.resourceVersion)) {
      this.#written.delete(key)
    }
  }

  /** The watch has shown that this object is gone. */
  shownDeleted(object: KubernetesObject): void {
    this.shown(object)
    this.#deleted.delete(object.metadata.uid)
  }

  /** The watch has told everything up to this version. */
  reached(version: string): void {
    for (const [key, object] of this.#written) {
      if (isAtLeast(version, object.metadata.resourceVersion)) this.#written.delete(key)
    }
    const oldest = this.#clock.monotonic() - DELETION_MILLISECONDS
    for (const [uid, since] of this.#deleted) {
      if (since <= oldest) this.#deleted.delete(uid)
    }
  }

  /** The object as the store and the own writes together know it. */
  get(key: ObjectKey): KubernetesObject | undefined {
    const object =
      this.#written.size === 0
        ? this.#store.get(key)
        : (this.#written.get(formatKey(key)) ?? this.#store.get(key))
    return object && this.#deleted.has(object.metadata.uid) ? undefined : object
  }

  /** All objects, likewise, by namespace and name. */
  list(namespace?: string): readonly KubernetesObject[] {
    const stored = this.#store.list(namespace)
    if (this.#written.size === 0 && this.#deleted.size === 0) return stored
    const written = [...this.#written.values()].filter(
      (object) => !namespace || object.metadata.namespace === namespace,
    )
    const replaced = new Set(written.map((object) => formatKey(keyOf(object))))
    const merged = stored.filter((object) => !replaced.has(formatKey(keyOf(object)))).concat(written)
    return merged.filter((object) => !this.#deleted.has(object.metadata.uid)).sort(byKey)
  }

  clear(): void {
    this.#written.clear()
    this.#deleted.clear()
  }
}

/** Versions that cannot be compared count as reached: a read then shows what the watch has. */
function isAtLeast(version: string, wanted: string): boolean {
  return (compareVersions(version, wanted) ?? 0) >= 0
}

function byKey(a: KubernetesObject, b: KubernetesObject): number {
  return formatKey(keyOf(a)) < formatKey(keyOf(b)) ? -1 : 1
}
