import { MapValue, Uint, type Value } from './value.ts'

/** A map whose entries are already computed. */
export class EntryMap extends MapValue {
  readonly #entries = new Map<KeyIdentity, readonly [key: Value, value: Value]>()

  constructor(entries: Iterable<readonly [Value, Value]> = []) {
    super()
    for (const [key, value] of entries) this.put(key, value)
  }

  override get size(): number {
    return this.#entries.size
  }

  override get(key: Value): Value | undefined {
    const identity = keyIdentity(key)
    return identity === undefined ? undefined : this.#entries.get(identity)?.[1]
  }

  override *keys(): Iterable<Value> {
    for (const [key] of this.#entries.values()) yield key
  }

  /**
   * Sets an entry while the map is built. Returns false if the map already has the key, or if the value cannot be a
   * key.
   */
  put(key: Value, value: Value): boolean {
    const identity = keyIdentity(key)
    if (identity === undefined) return false
    const added = !this.#entries.has(identity)
    this.#entries.set(identity, [key, value])
    return added
  }
}

/** The identity of a key; `undefined` for values that cannot be a key. */
export function keyIdentity(key: Value): KeyIdentity | undefined {
  if (typeof key === 'string' || typeof key === 'bigint' || typeof key === 'boolean') return key
  if (key instanceof Uint) return key.value
  if (typeof key === 'number') return Number.isInteger(key) ? BigInt(key) : key
  return undefined
}

type KeyIdentity = string | bigint | boolean | number

/** The accumulator of a loop that makes a map: no other expression sees it before the loop ends, so it grows in place. */
export class GrowingMap extends EntryMap {
  /** The map that has been made. */
  finish(): MapValue {
    const map = new EntryMap()
    for (const key of this.keys()) map.put(key, this.get(key)!)
    return map
  }
}
