import { parseJson } from '@homeostat/api'
import type { Stored, StoredValue } from './store.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** An entry of the store: made of a value, which it encodes when first asked to, or of JSON, which it reads then. */
export class Entry implements Stored {
  readonly key: string
  readonly revision: number
  #value: StoredValue | undefined
  #json: Uint8Array | undefined

  private constructor(
    key: string,
    revision: number,
    value: StoredValue | undefined,
    json: Uint8Array | undefined,
  ) {
    this.key = key
    this.revision = revision
    this.#value = value
    this.#json = json
  }

  /** Freezes the value. */
  static ofValue(key: string, revision: number, value: StoredValue): Entry {
    return new Entry(key, revision, freeze(value), undefined)
  }

  static ofJson(key: string, revision: number, json: Uint8Array): Entry {
    return new Entry(key, revision, undefined, json)
  }

  get value(): StoredValue {
    return (this.#value ??= freeze(parseJson(decoder.decode(this.#json)) as StoredValue))
  }

  get json(): Uint8Array {
    return (this.#json ??= encoder.encode(JSON.stringify(this.#value)))
  }
}

/** Freezes a JSON value all the way down. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) for (let index = 0; index < value.length; index++) freeze(value[index])
  // JSON has no inherited keys, and this way no list of them is made.
  else for (const key in value) freeze(value[key])
  return Object.freeze(value)
}
