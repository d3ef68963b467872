import { exactInteger } from '@homeostat/api'
import type { MessageField, MessageType } from './message-type.ts'

/** Why bytes are not a message, as the message of Kubernetes' Go code. */
export class ProtobufError extends Error {}

/**
 * The parsed fields of a message, by index: a value, an inner message as such a list, a list as an array, or a map as
 * a Map; undefined for a missing field.
 */
export type MessageState = unknown[]

/** The state of a message or a list that was read before; otherwise an empty one. */
export function stateOf(value: unknown): MessageState {
  return Array.isArray(value) ? value : []
}

/** How deep messages may be nested, and how many there may be in one body: a field of two bytes can stand for a large object. */
const DEPTH_LIMIT = 500
const MESSAGE_LIMIT = 500_000

const VARINT = 0
const FIXED64 = 1
const BYTES = 2
const START_GROUP = 3
const END_GROUP = 4
const FIXED32 = 5

const SHORT = 32
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Reads messages from bytes. Fields that are not known are skipped, as every protobuf reader does. */
export class MessageReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #position = 0
  #depth = 0
  #messages = 0
  /** The halves of the number that was read last. */
  #low = 0
  #high = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Reads all bytes as one message. Throws a {@link ProtobufError}. */
  read(type: MessageType): MessageState {
    const state: MessageState = []
    this.#readInto(state, type, this.#bytes.length)
    return state
  }

  #readInto(state: MessageState, type: MessageType, end: number): void {
    if (++this.#depth > DEPTH_LIMIT)
      throw new ProtobufError(`messages are nested deeper than ${DEPTH_LIMIT} levels`)
    if (++this.#messages > MESSAGE_LIMIT)
      throw new ProtobufError(`the body has more than ${MESSAGE_LIMIT} messages`)
    while (this.#position < end) {
      const start = this.#position
      this.#readVarint(end)
      const number = (this.#high << 29) | (this.#low >>> 3) | 0
      const wireType = this.#low & 7
      if (wireType === END_GROUP)
        throw new ProtobufError(`proto: ${type.name}: wiretype end group for non-group`)
      if (number <= 0) {
        const tag = (BigInt(this.#high >>> 0) << 32n) | BigInt(this.#low >>> 0)
        throw new ProtobufError(`proto: ${type.name}: illegal tag ${number} (wire type ${tag})`)
      }
      const index = type.indexOf(number)
      if (index < 0) {
        this.#position = start
        this.#skip(end)
      } else this.#readField(state, index, type.fields[index]!, wireType, end)
    }
    this.#depth--
  }

  #readField(state: MessageState, index: number, field: MessageField, wireType: number, end: number): void {
    const { label } = field
    if (label === 'map') {
      expect(wireType, BYTES, field)
      const inner = this.#length(end)
      const [key, value] = this.#entry(field, inner)
      const before = state[index]
      const map: Map<string, unknown> = before instanceof Map ? before : new Map<string, unknown>()
      state[index] = map.set(key, value)
    } else if (label === 'list') {
      const list = stateOf(state[index])
      state[index] = list
      if (wireType === BYTES && (field.kind === 'i' || field.kind === 'l' || field.kind === 'b')) {
        const inner = this.#length(end)
        while (this.#position < inner) list.push(this.#value(field, VARINT, inner, undefined))
      } else list.push(this.#value(field, wireType, end, undefined))
    } else {
      // A message that comes twice is merged.
      state[index] = this.#value(field, wireType, end, state[index])
    }
  }

  #value(field: MessageField, wireType: number, end: number, before: unknown): unknown {
    switch (field.kind) {
      case 'i':
        expect(wireType, VARINT, field)
        this.#readVarint(end)
        return this.#low | 0
      case 'b':
        expect(wireType, VARINT, field)
        this.#readVarint(end)
        return (this.#low | this.#high) !== 0
      case 'l':
        expect(wireType, VARINT, field)
        this.#readVarint(end)
        return this.#int64()
      case 'd': {
        expect(wireType, FIXED64, field)
        if (this.#position + 8 > end) throw unexpectedEnd()
        const number = this.#view.getFloat64(this.#position, true)
        this.#position += 8
        return number
      }
      case 's':
      case 'y': {
        expect(wireType, BYTES, field)
        const inner = this.#length(end)
        const bytes = this.#bytes.subarray(this.#position, inner)
        this.#position = inner
        return field.kind === 's' ? text(bytes) : bytes
      }
      case '@': {
        expect(wireType, BYTES, field)
        const inner = this.#length(end)
        const state = stateOf(before)
        this.#readInto(state, field.message, inner)
        return state
      }
    }
  }

  /** An entry of a map is a message with the key as its field 1 and the value as 2. */
  #entry(field: MessageField, end: number): [string, unknown] {
    let key = ''
    let value: unknown
    while (this.#position < end) {
      const start = this.#position
      this.#readVarint(end)
      const number = this.#low >>> 3
      if (number === 1) {
        const inner = this.#length(end)
        key = text(this.#bytes.subarray(this.#position, inner))
        this.#position = inner
      } else if (number === 2) {
        value = this.#value(field, this.#low & 7, end, undefined)
      } else {
        this.#position = start
        this.#skip(end)
      }
    }
    return [key, value]
  }

  /** Reads a length, and returns the offset of its end. */
  #length(end: number): number {
    this.#readVarint(end)
    if (this.#high < 0) throw new ProtobufError('proto: negative length found during unmarshaling')
    const inner = this.#position + (this.#high * 2 ** 32 + (this.#low >>> 0))
    if (inner > end) throw unexpectedEnd()
    return inner
  }

  #readVarint(end: number): void {
    let low = 0
    let high = 0
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new ProtobufError('proto: integer overflow')
      if (this.#position >= end) throw unexpectedEnd()
      const byte = this.#bytes[this.#position++]!
      const bits = byte & 0x7f
      if (shift < 28) low |= bits << shift
      else if (shift === 28) {
        low |= bits << 28
        high |= bits >>> 4
      } else high |= bits << (shift - 32)
      if (byte < 0x80) break
    }
    this.#low = low
    this.#high = high
  }

  #int64(): unknown {
    const value = this.#high * 2 ** 32 + (this.#low >>> 0)
    if (Number.isSafeInteger(value)) return value
    return exactInteger((BigInt(this.#high) << 32n) | BigInt(this.#low >>> 0))
  }

  /** Skips a field with its tag; groups are skipped with all that is in them. */
  #skip(end: number): void {
    let groups = 0
    do {
      this.#readVarint(end)
      const wireType = this.#low & 7
      switch (wireType) {
        case VARINT:
          this.#readVarint(end)
          break
        case FIXED64:
          this.#position += 8
          break
        case BYTES:
          this.#position = this.#length(end)
          break
        case START_GROUP:
          groups++
          break
        case END_GROUP:
          if (groups === 0) throw new ProtobufError('proto: unexpected end of group')
          groups--
          break
        case FIXED32:
          this.#position += 4
          break
        default:
          throw new ProtobufError(`proto: illegal wireType ${wireType}`)
      }
      if (this.#position > end) throw unexpectedEnd()
    } while (groups > 0)
  }
}

/** Most texts are short and ASCII, for which calling the decoder takes longer than this loop. */
function text(bytes: Uint8Array): string {
  if (bytes.length > SHORT) return decoder.decode(bytes)
  let result = ''
  for (const byte of bytes) {
    if (byte >= 0x80) return decoder.decode(bytes)
    result += String.fromCharCode(byte)
  }
  return result
}

function expect(wireType: number, expected: number, field: MessageField): void {
  if (wireType !== expected) {
    throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${field.goName}`)
  }
}

function unexpectedEnd(): ProtobufError {
  return new ProtobufError('unexpected EOF')
}
