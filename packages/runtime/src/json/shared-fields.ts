/** The most different values that are kept. */
const MOST = 1_024
/** Shorter values are not shared. */
const LEAST_BYTES = 100

/** One value of `fieldsV1` that many objects have. */
interface SharedValue {
  readonly number: number
  readonly bytes: Uint8Array
  readonly text: string
  value: object | undefined
}

/**
 * The shared values, which the texts of objects refer to by number. It stays in memory as long as an object refers to
 * it.
 */
export class FieldTable {
  readonly #values: SharedValue[] = []

  add(text: string, bytes: Uint8Array): SharedValue {
    const shared = { number: this.#values.length, bytes, text, value: undefined }
    this.#values.push(shared)
    return shared
  }

  /** The value: parsed once, frozen, and the same for all objects. */
  value(number: number): object {
    const shared = this.#values[number]!
    return (shared.value ??= JSON.parse(shared.text, (_, value: unknown) => Object.freeze(value)) as object)
  }
}

/**
 * Finds managed fields that objects have in common. Objects that one controller writes have the same ones, which are
 * often a third of the object. A value that occurs twice is shared from then on.
 */
export class SharedFields {
  readonly #decoder = new TextDecoder()
  readonly #encoder = new TextEncoder()
  #table = new FieldTable()
  #known = new Map<string, SharedValue | undefined>()
  /** The values of the managers of the last object, in order: the next object usually has the same. */
  #last: SharedValue[] = []

  /** The table that the numbers of found values refer to. */
  get table(): FieldTable {
    return this.#table
  }

  /** Begins an object: all values found in it belong to one table. */
  begin(): void {
    if (this.#known.size < MOST) return
    // An object that lives long keeps its table alive, but never what another object had alone.
    this.#known = new Map()
    this.#table = new FieldTable()
    this.#last = []
  }

  /** The value at `start`, if it equals the one that the last object had in the same `place`, the index of a field manager. */
  again(bytes: Uint8Array, start: number, place: number): SharedValue | undefined {
    const shared = this.#last[place]
    return shared && startsWith(bytes, start, shared.bytes) ? shared : undefined
  }

  /** The value between `start` and `end`; `undefined` where it is not shared. */
  find(bytes: Uint8Array, start: number, end: number, place: number): SharedValue | undefined {
    if (end - start < LEAST_BYTES) return undefined
    const shared = this.ofText(this.#decoder.decode(bytes.subarray(start, end)))
    if (shared) this.#last[place] = shared
    return shared
  }

  /** The value with this text; `undefined` where it is not shared. */
  ofText(text: string): SharedValue | undefined {
    if (text.length < LEAST_BYTES) return undefined
    if (!this.#known.has(text)) {
      if (this.#known.size < MOST) this.#known.set(text, undefined)
      return undefined
    }
    let shared = this.#known.get(text)
    if (!shared) this.#known.set(text, (shared = this.#table.add(text, this.#encoder.encode(text))))
    return shared
  }
}

function startsWith(bytes: Uint8Array, start: number, text: Uint8Array): boolean {
  if (start + text.length > bytes.length) return false
  for (let index = 0; index < text.length; index++) {
    if (bytes[start + index] !== text[index]) return false
  }
  return true
}
