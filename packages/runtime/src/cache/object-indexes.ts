import { HomeostatError, type AnyKind } from '@homeostat/api'
import type { ServedObject } from '../json/index.ts'
import { resourceName } from '../requests/index.ts'
import { ObjectIndex } from './object-index.ts'

/** The indexes of one kind's objects, by name. Every object of the store is in each of them. */
export class ObjectIndexes {
  readonly #kind: AnyKind
  readonly #indexes = new Map<string, ObjectIndex>()

  constructor(kind: AnyKind) {
    this.#kind = kind
  }

  /** Adds an index, or replaces the one of the same name, and puts the objects into it. */
  add(
    name: string,
    valuesOf: (object: ServedObject) => readonly string[],
    objects: Iterable<ServedObject>,
  ): void {
    const index = new ObjectIndex(valuesOf)
    for (const object of objects) index.add(object)
    this.#indexes.set(name, index)
  }

  has(name: string): boolean {
    return this.#indexes.has(name)
  }

  /** Throws a `HomeostatError` with code `CACHE_INDEX_UNKNOWN` where there is no index of the name. */
  get(name: string): ObjectIndex {
    const index = this.#indexes.get(name)
    if (index) return index
    throw new HomeostatError(
      'CACHE_INDEX_UNKNOWN',
      `the cache of ${resourceName(this.#kind)} has no index ${JSON.stringify(name)}. Add it with cache.index(${this.#kind.kind}, ${JSON.stringify(name)}, …) before it is used.`,
    )
  }

  /** Puts an object in the place of the version that the indexes have of it, if they have one. */
  replace(old: ServedObject | undefined, object: ServedObject): void {
    for (const index of this.#indexes.values()) {
      if (old) index.delete(old)
      index.add(object)
    }
  }

  delete(object: ServedObject): void {
    for (const index of this.#indexes.values()) index.delete(object)
  }

  clear(): void {
    for (const index of this.#indexes.values()) index.clear()
  }
}
