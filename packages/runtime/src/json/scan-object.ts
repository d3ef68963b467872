import type { SharedFields } from './shared-fields.ts'

const [QUOTE, BACKSLASH, COLON, COMMA] = [34, 92, 58, 44]
const [OPEN, CLOSE, OPEN_LIST, CLOSE_LIST] = [123, 125, 91, 93]
const METADATA = bytesOf('metadata')
const NAME = bytesOf('name')
const NAMESPACE = bytesOf('namespace')
const UID = bytesOf('uid')
const RESOURCE_VERSION = bytesOf('resourceVersion')
const MANAGED_FIELDS = bytesOf('managedFields')
const FIELDS = bytesOf('fieldsV1')

/** A text by its first byte and one past its last; `start` is 0 where there is none. */
export class TextSpan {
  start = 0
  end = 0
}

/** A shared value of `fieldsV1`: its position, and its number. */
export interface SharedSpan {
  readonly start: number
  readonly end: number
  readonly number: number
}

/**
 * Finds the identity and the shared managed fields in the JSON text of an object, without parsing it. It expects JSON
 * without white space, as API servers write it, and stops at the end of the metadata. Each scan replaces the results
 * of the last one.
 */
export class ObjectScanner {
  readonly name = new TextSpan()
  readonly namespace = new TextSpan()
  readonly uid = new TextSpan()
  readonly resourceVersion = new TextSpan()
  readonly metadata = new TextSpan()
  /** In the order of the text. */
  shared: SharedSpan[] = []
  readonly #fields: SharedFields
  #bytes: Uint8Array = new Uint8Array()
  /** The key that was read last, if the scan looks for it. */
  #key: Uint8Array | undefined

  constructor(fields: SharedFields) {
    this.#fields = fields
  }

  /** Scans the object that begins at `start`. Returns false where the object must be parsed instead. */
  scan(bytes: Uint8Array, start: number): boolean {
    this.#bytes = bytes
    this.shared = []
    this.#fields.begin()
    for (const span of [this.name, this.namespace, this.uid, this.resourceVersion]) span.start = span.end = 0
    let at = this.#open(start)
    while (at > 0) {
      const value = this.#entry(at)
      if (value < 0) return false
      if (this.#key === METADATA) {
        const end = this.#metadata(value)
        this.metadata.start = value
        this.metadata.end = end
        return end > 0 && this.name.start > 0 && this.uid.start > 0 && this.resourceVersion.start > 0
      }
      at = this.#next(skipValue(bytes, value))
    }
    return false
  }

  #metadata(start: number): number {
    const bytes = this.#bytes
    let at = this.#open(start)
    while (at > 0) {
      const value = this.#entry(at)
      if (value < 0) return -1
      const span = this.#wanted()
      const end = span
        ? this.#plainText(value, span)
        : this.#key === MANAGED_FIELDS
          ? this.#managers(value)
          : skipValue(bytes, value)
      if (end > 0 && bytes[end] === CLOSE) return end + 1
      at = this.#next(end)
    }
    return -1
  }

  #wanted(): TextSpan | undefined {
    switch (this.#key) {
      case NAME:
        return this.name
      case NAMESPACE:
        return this.namespace
      case UID:
        return this.uid
      case RESOURCE_VERSION:
        return this.resourceVersion
      default:
        return undefined
    }
  }

  #managers(start: number): number {
    const bytes = this.#bytes
    if (bytes[start] !== OPEN_LIST) return skipValue(bytes, start)
    let at = start + 1
    for (let place = 0; bytes[at] === OPEN; place++) {
      at = this.#manager(at, place)
      if (at < 0) return -1
      if (bytes[at] === COMMA) at++
    }
    return bytes[at] === CLOSE_LIST ? at + 1 : -1
  }

  #manager(start: number, place: number): number {
    const bytes = this.#bytes
    let at = this.#open(start)
    while (at > 0) {
      const value = this.#entry(at)
      if (value < 0) return -1
      const end = this.#key === FIELDS ? this.#fieldsV1(value, place) : skipValue(bytes, value)
      if (end > 0 && bytes[end] === CLOSE) return end + 1
      at = this.#next(end)
    }
    return -1
  }

  #fieldsV1(start: number, place: number): number {
    const again = this.#fields.again(this.#bytes, start, place)
    const end = again ? start + again.bytes.length : skipValue(this.#bytes, start)
    const shared = again ?? (end > 0 ? this.#fields.find(this.#bytes, start, end, place) : undefined)
    if (shared) this.shared.push({ start, end, number: shared.number })
    return end
  }

  /** The position of the object's first key; -1 where it has none. */
  #open(start: number): number {
    return this.#bytes[start] === OPEN && this.#bytes[start + 1] === QUOTE ? start + 1 : -1
  }

  /** The position of the key after the value that ended at `end`; -1 where there is none. */
  #next(end: number): number {
    return end > 0 && this.#bytes[end] === COMMA ? end + 1 : -1
  }

  /** Reads a key, and returns the position of its value. */
  #entry(at: number): number {
    const bytes = this.#bytes
    if (bytes[at] !== QUOTE) return -1
    const end = skipString(bytes, at)
    if (end < 0 || bytes[end] !== COLON) return -1
    this.#key = keyOf(bytes, at + 1, end - 1)
    return end + 1
  }

  /** Reads a string without escapes. */
  #plainText(start: number, span: TextSpan): number {
    const bytes = this.#bytes
    if (bytes[start] !== QUOTE) return -1
    const end = skipString(bytes, start)
    for (let at = start + 1; at < end - 1; at++) if (bytes[at] === BACKSLASH) return -1
    span.start = start + 1
    span.end = end - 1
    return end
  }
}

/** Whether the bytes at this position are this text. */
export function isText(bytes: Uint8Array, start: number, end: number, text: Uint8Array): boolean {
  if (end - start !== text.length) return false
  for (let index = 0; index < text.length; index++) {
    if (bytes[start + index] !== text[index]) return false
  }
  return true
}

export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** The key at this position, if it is one of the wanted keys. All but two of them differ in length. */
function keyOf(bytes: Uint8Array, start: number, end: number): Uint8Array | undefined {
  const key = KEYS[end - start]
  if (key && isText(bytes, start, end, key)) return key
  return end - start === FIELDS.length && isText(bytes, start, end, FIELDS) ? FIELDS : undefined
}

const KEYS: (Uint8Array | undefined)[] = Array.from({ length: 16 }, () => undefined)
for (const key of [METADATA, NAME, NAMESPACE, UID, RESOURCE_VERSION, MANAGED_FIELDS]) KEYS[key.length] = key

/** One past the string's closing quote. */
function skipString(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at + 1
    if (byte === BACKSLASH) at++
  }
  return -1
}

/** One past the value's last byte. */
function skipValue(bytes: Uint8Array, start: number): number {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = skipString(bytes, at) - 1
      if (at < 0) return -1
      if (depth === 0) return at + 1
    } else if (byte === OPEN || byte === OPEN_LIST) depth++
    else if (byte === CLOSE || byte === CLOSE_LIST) {
      // The end of the enclosing object or list: the value was a number or a literal.
      if (depth === 0) return at > start ? at : -1
      if (--depth === 0) return at + 1
    } else if (byte === COMMA && depth === 0) return at > start ? at : -1
  }
  return -1
}
