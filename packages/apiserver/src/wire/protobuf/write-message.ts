import { isExactNumber } from '@homeostat/api'
import { isObject, type JsonObject } from '../../schema/index.ts'
import { decodeBase64 } from './base64.ts'
import type { MessageField, MessageType } from './message-type.ts'
import { specialForm } from './special-forms.ts'

const encoder = new TextEncoder()
const FIRST_SIZE = 1024

/**
 * Writes JSON as messages, byte for byte as Kubernetes does: fields in the order of their numbers. A field that is not
 * a pointer is written even if it is zero. The writer works from the end to the beginning, so that a length is known
 * when it is written.
 */
export class MessageWriter {
  #bytes = new Uint8Array(FIRST_SIZE)
  /** The offset at which the written bytes begin. */
  #start = FIRST_SIZE

  /** How many bytes were written so far. */
  get size(): number {
    return this.#bytes.length - this.#start
  }

  /** The written bytes, which the caller owns. */
  finish(): Uint8Array {
    return this.#bytes.subarray(this.#start)
  }

  /** Writes the fields of a message before the bytes written so far. */
  message(type: MessageType, value: unknown): void {
    const special = specialForm(type)
    if (special) {
      special.write(value, type, this)
      return
    }
    if (type.isList) {
      this.field(type.fieldAt(0), value)
      return
    }
    const object: JsonObject = isObject(value) ? value : {}
    for (const field of type.fieldsFromLast) {
      this.field(
        field,
        field.name === '' ? object : Object.hasOwn(object, field.name) ? object[field.name] : undefined,
      )
    }
  }

  /** Writes a field before the bytes written so far: a list, a map or one value. */
  field(field: MessageField, value: unknown): void {
    if (field.label === 'list') {
      if (!Array.isArray(value)) return
      for (let index = value.length - 1; index >= 0; index--) this.#one(field, field.number, value[index])
    } else if (field.label === 'map') {
      if (isObject(value)) this.#map(field, value)
    } else if (value !== undefined && value !== null) this.#one(field, field.number, value)
    else if (!field.pointer && field.kind !== 'y' && !field.message?.isList)
      this.#one(field, field.number, undefined)
  }

  #map(field: MessageField, object: JsonObject): void {
    const keys = Object.keys(object).sort(byCodePoint).reverse()
    for (const key of keys) {
      const before = this.size
      this.#one(field, 2, object[key] ?? undefined)
      this.text(1, key)
      this.length(field.number, before)
    }
  }

  #one(field: MessageField, number: number, value: unknown): void {
    switch (field.kind) {
      case 's':
        return this.text(number, typeof value === 'string' ? value : '')
      case 'b':
        return this.integer(number, value === true ? 1 : 0)
      case 'i':
      case 'l':
        return this.integer(number, value)
      case 'd':
        return this.fraction(number, value)
      case 'y':
        return this.bytes(number, (typeof value === 'string' && decodeBase64(value)) || new Uint8Array())
      case '@': {
        const before = this.size
        this.message(field.message, value)
        return this.length(number, before)
      }
    }
  }

  /** Writes a whole number of 32 or 64 bits; 0 for other values. */
  integer(number: number, value: unknown): void {
    if (isExactNumber(value)) {
      const whole = BigInt.asUintN(64, BigInt(value.rawJSON))
      this.#varint(Number(whole & 0xffffffffn), Number(whole >> 32n))
    } else {
      const whole = typeof value === 'number' ? Math.trunc(value) : 0
      this.#varint(whole >>> 0, Math.floor(whole / 2 ** 32) >>> 0)
    }
    this.#varint(number * 8, 0)
  }

  /** Writes a fraction of 64 bits; 0 for other values. */
  fraction(number: number, value: unknown): void {
    this.#reserve(8)
    new DataView(this.#bytes.buffer).setFloat64(this.#start, typeof value === 'number' ? value : 0, true)
    this.#varint(number * 8 + 1, 0)
  }

  /** Writes a text. */
  text(number: number, text: string): void {
    const before = this.size
    if (!this.#ascii(text)) this.#raw(encoder.encode(text))
    this.length(number, before)
  }

  /** Writes bytes as they are. */
  bytes(number: number, bytes: Uint8Array): void {
    const before = this.size
    this.#raw(bytes)
    this.length(number, before)
  }

  /** Writes the tag and length of what was written since the size was `before`. */
  length(number: number, before: number): void {
    this.#varint(this.size - before, 0)
    this.#varint(number * 8 + 2, 0)
  }

  #ascii(text: string): boolean {
    this.#reserve(text.length)
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index)
      if (code >= 0x80) {
        this.#start += text.length
        return false
      }
      this.#bytes[this.#start + index] = code
    }
    return true
  }

  #raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#start)
  }

  /** Writes a number of 64 bits, given in halves, in groups of seven bits. */
  #varint(low: number, high: number): void {
    let size = 1
    for (let [rest, above] = [low, high]; above !== 0 || rest > 0x7f; size++) {
      rest = ((rest >>> 7) | (above << 25)) >>> 0
      above >>>= 7
    }
    this.#reserve(size)
    let index = this.#start
    for (; size > 1; size--) {
      this.#bytes[index++] = (low & 0x7f) | 0x80
      low = ((low >>> 7) | (high << 25)) >>> 0
      high >>>= 7
    }
    this.#bytes[index] = low
  }

  /** Grows the buffer at its front. */
  #reserve(size: number): void {
    if (size > this.#start) {
      const used = this.#bytes.length - this.#start
      const larger = new Uint8Array(Math.max(this.#bytes.length * 2, used + size))
      larger.set(this.#bytes.subarray(this.#start), larger.length - used)
      this.#start = larger.length - used
      this.#bytes = larger
    }
    this.#start -= size
  }
}

/** Go sorts keys by bytes; JavaScript by UTF-16 units, which differs for characters beyond U+FFFF. */
function byCodePoint(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index++) {
    const difference = (a.codePointAt(index) ?? 0) - (b.codePointAt(index) ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
