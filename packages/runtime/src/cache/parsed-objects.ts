import { deepFreeze, type KubernetesObject } from '@homeostat/api'
import type { ServedObject } from '../json/index.ts'

/** A kind whose objects have less text than this in total is parsed once. */
const SMALL_LENGTH = 4_000_000
/** How many characters of parsed objects are kept of a larger kind, for repeated reads. More would only take memory. */
const RECENT_LENGTH = 100_000
/** The least that an object counts, even if its text is short or missing. */
const LEAST_LENGTH = 200

/**
 * The parsed forms of recently read objects. They are frozen, and all readers share them. An object that was not read
 * for a while is dropped, and parsed again with the next read.
 */
export class ParsedObjects {
  #recent = new Map<ServedObject, KubernetesObject>()
  #older = new Map<ServedObject, KubernetesObject>()
  #length = 0
  readonly #complete: (object: KubernetesObject) => KubernetesObject
  readonly #store: { readonly length: number }

  /** The store says how long the text of all objects is; `complete` is applied to each when it was parsed. */
  constructor(
    store: { readonly length: number },
    complete: (object: KubernetesObject) => KubernetesObject = (object) => object,
  ) {
    this.#store = store
    this.#complete = complete
  }

  get(served: ServedObject): KubernetesObject {
    const recent = this.#recent.get(served)
    if (recent) return recent
    const object = this.#older.get(served) ?? deepFreeze(this.#complete(served.parse()))
    this.#length += Math.max(served.length, LEAST_LENGTH)
    if (this.#length > (this.#store.length > SMALL_LENGTH ? RECENT_LENGTH : SMALL_LENGTH)) {
      this.#older = this.#recent
      this.#recent = new Map()
      this.#length = 0
    }
    this.#recent.set(served, object)
    return object
  }

  clear(): void {
    this.#recent.clear()
    this.#older.clear()
    this.#length = 0
  }
}
