import { formatKey, type Clock, type ObjectKey } from '@homeostat/api'
import { compareVersions } from '../watch/index.ts'
import type { ServedObject } from '../json/index.ts'
import type { ObjectStore } from './object-store.ts'

/** How long a deletion is remembered if no event of it comes: the event came before, or never will. */
const DELETION_MILLISECONDS = 600_000

interface Written {
  readonly object: ServedObject
  /** Whether the write took it out of what the cache keeps: then no read shows it. */
  readonly left: boolean
}

/**
 * What this process wrote and its watch has not shown yet. It lies over the store, so that a read is never
 * older than an own write. A written object stays until the watch has come as far as its version. Of a
 * deletion no version is known, but the uid of what is gone never comes back: it hides that one object.
 */
export class OwnWrites {
  readonly #clock: Clock
  readonly #store: ObjectStore
  readonly #written = new Map<string, Written>()
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

  /**
   * `seen` is the version up to which the watch has told everything; without one, nothing yet. `left` says
   * that the object is now outside of what the watch selects.
   */
  wrote(object: ServedObject, seen: string | undefined, left = false): void {
    const key = formatKey(object)
    if (seen !== undefined && isAtLeast(seen, object.resourceVersion)) return
    const newest = this.#written.get(key)?.object ?? this.#store.get(object)
    if (newest && isAtLeast(newest.resourceVersion, object.resourceVersion)) return
    this.#written.set(key, { object, left })
  }

  /** Without a uid it is the object that is known by this name. */
  deleted(key: ObjectKey, uid: string | undefined): void {
    const gone = uid ?? this.get(key)?.uid
    if (gone === undefined) return
    this.#deleted.set(gone, this.#clock.monotonic())
    const written = this.#written.get(formatKey(key))
    if (written?.object.uid === gone) this.#written.delete(formatKey(key))
  }

  /** The watch has shown this object, at its version. */
  shown(object: ServedObject): void {
    if (this.#written.size === 0) return
    const key = formatKey(object)
    const written = this.#written.get(key)
    if (written && isAtLeast(object.resourceVersion, written.object.resourceVersion)) {
      this.#written.delete(key)
    }
  }

  /** The watch has shown that this object is gone. */
  shownDeleted(object: ServedObject): void {
    this.shown(object)
    this.#deleted.delete(object.uid)
  }

  /** The watch has told everything of a namespace, or of all, up to this version. */
  reached(version: string, namespace?: string): void {
    for (const [key, { object }] of this.#written) {
      if (namespace && object.namespace !== namespace) continue
      if (isAtLeast(version, object.resourceVersion)) this.#written.delete(key)
    }
    const oldest = this.#clock.monotonic() - DELETION_MILLISECONDS
    for (const [uid, since] of this.#deleted) {
      if (since <= oldest) this.#deleted.delete(uid)
    }
  }

  /** The namespace is no longer watched: nothing more will be shown of it. */
  forget(namespace: string): void {
    for (const [key, { object }] of this.#written) {
      if (object.namespace === namespace) this.#written.delete(key)
    }
  }

  /** The object as the store and the own writes together know it. */
  get(key: ObjectKey): ServedObject | undefined {
    const written = this.#written.size === 0 ? undefined : this.#written.get(formatKey(key))
    if (written?.left) return undefined
    const object = written?.object ?? this.#store.get(key)
    return object && this.#deleted.has(object.uid) ? undefined : object
  }

  /** All objects, likewise, by namespace and name. */
  list(namespace?: string): readonly ServedObject[] {
    const stored = this.#store.list(namespace)
    return this.#written.size === 0 && this.#deleted.size === 0
      ? stored
      : this.over(stored, (object) => !namespace || object.namespace === namespace)
  }

  /** Some objects of the store with the own writes laid over them: those that belong among them, and no others. */
  over(stored: Iterable<ServedObject>, belongs: (object: ServedObject) => boolean): ServedObject[] {
    const merged = [...stored].filter((object) => !this.#written.has(formatKey(object)))
    for (const { object, left } of this.#written.values()) if (!left && belongs(object)) merged.push(object)
    return merged.filter((object) => !this.#deleted.has(object.uid)).sort(byKey)
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

function byKey(a: ServedObject, b: ServedObject): number {
  return formatKey(a) < formatKey(b) ? -1 : 1
}
