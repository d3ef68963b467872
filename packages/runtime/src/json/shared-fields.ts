/** More different ones than this are not worth looking for. */
const MOST = 1_024
/** Shorter ones are not worth a place of their own. */
const LEAST_BYTES = 100

/** One value of `fieldsV1` that many objects have. */
interface SharedValue {
  readonly number: number
  readonly bytes: Uint8Array
  readonly text: string
  value: object | undefined
}

/** Values that the texts of objects name by a number. It lives as long as an object names one. */
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
 * Finds the managed fields that objects have in common: those of objects that one controller writes are the
 * same, and often a third of the object. What comes twice is shared from then on.
 */
export class SharedFields {
  readonly #decoder = new TextDecoder()
  readonly #encoder = new TextEncoder()
  #table = new FieldTable()
  #known = new Map<string, SharedValue | undefined>()
  /** What the first, the second … manager of the last object had: most often the next has the same. */
  #last: SharedValue[] = []

  /** What the numbers of values that are found now are from. */
  get table(): FieldTable {
    return this.#table
  }

  /** An object begins: all that is found in it is from one table. */
  begin(): void {
    if (this.#known.size < MOST) return
    // An object that lives long keeps its table alive, but never what another object had alone.
    this.#known = new Map()
    this.#table = new FieldTable()
    this.#last = []
  }

  /** The value that begins there, if it is the same as that of the last object's manager in this place. */
  again(bytes: Uint8Array, start: number, place: number): SharedValue | undefined {
    const shared = this.#last[place]
    return shared && startsWith(bytes, start, shared.bytes) ? shared : undefined
  }

  /** The value that stands there; `undefined` where it is not shared. */
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
