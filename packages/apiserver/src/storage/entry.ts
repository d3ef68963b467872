import type { Stored, StoredValue } from './store.ts'

const encoder = new TextEncoder()

/** An entry of the store: freezes its value, and encodes it when it is first asked to. */
export class Entry implements Stored {
  readonly key: string
  readonly revision: number
  readonly value: StoredValue
  #json: Uint8Array | undefined

  constructor(key: string, revision: number, value: StoredValue) {
    this.key = key
    this.revision = revision
    this.value = freeze(value)
  }

  get json(): Uint8Array {
    return (this.#json ??= encoder.encode(JSON.stringify(this.value)))
  }
}

/** Freezes a JSON value all the way down. Parts that are frozen already are taken as done. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value
  Object.freeze(value)
  for (const part of Object.values(value)) freeze(part)
  return value
}
