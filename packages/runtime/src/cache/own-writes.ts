import { formatKey, type Clock, type ObjectKey } from '@homeostat/api'
import { compareVersions } from '../watch/index.ts'
import type { ServedObject } from '../json/index.ts'
import type { ObjectStore } from './object-store.ts'

/** How long a deletion is remembered if no event of it comes: the event came before, or never will. */
const DELETION_MILLISECONDS = 600_000

interface Written {
  readonly object: ServedObject
  /** Whether the object no longer matches the cache's selection after the write: then no read shows it. */
  readonly left: boolean
}

/**
 * The writes of this process that its watch has not delivered yet. Reads merge them with the store, so that a read is
 * never older than an own write. A written object stays until the watch reaches its version. A deletion has no known
 * version, so the uid of the deleted object hides that object: uids are never used again.
 */
export class OwnWrites {
  readonly #clock: Clock
  readonly #store: ObjectStore
  readonly #written = new Map<string, Written>()
  /** When each uid was deleted. */
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
   * `seen` is the version up to which the watch has delivered all changes; `undefined` before the first list. `left`
   * says that the object no longer matches what the watch selects.
   */
  wrote(object: ServedObject, seen: string | undefined, left = false): void {
    const key = formatKey(object)
    if (seen !== undefined && isAtLeast(seen, object.resourceVersion)) return
    const newest = this.#written.get(key)?.object ?? this.#store.get(object)
    if (newest && isAtLeast(newest.resourceVersion, object.resourceVersion)) return
    this.#written.set(key, { object, left })
  }

  /** Without a uid, deletes the object that is known by this name. */
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

  /** The watch has delivered all changes of a namespace, or of all, up to this version. */
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

  /** All objects as the store and the own writes together know them, by namespace and name. */
  list(namespace?: string): readonly ServedObject[] {
    const stored = this.#store.list(namespace)
    return this.#written.size === 0 && this.#deleted.size === 0
      ? stored
      : this.over(stored, (object) => !namespace || object.namespace === namespace)
  }

  /** Merges own writes into some objects of the store. `belongs` decides which own writes are among them. */
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
