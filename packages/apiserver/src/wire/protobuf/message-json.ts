import { type JsonObject, setKey } from '../../schema/index.ts'
import { encodeBase64 } from './base64.ts'
import type { MessageField, MessageType } from './message-type.ts'
import { ProtobufError, stateOf, type MessageState } from './read-message.ts'
import { specialForm } from './special-forms.ts'

/** The most objects in one body: a message of two bytes in a list expands to all fields that are always written. */
const OBJECT_LIMIT = 1_000_000

/** Writes the JSON of parsed messages as Go would. Each instance serves one body. */
export class MessageJson {
  #objects = 0

  /** The value of a message. A missing field has its zero value, or is left out, according to its field type. */
  value(type: MessageType, state: MessageState): unknown {
    const special = specialForm(type)
    if (special) return special.toJson(state, type, (inner, innerState) => this.value(inner, innerState))
    if (type.isList) return state[0] ?? []
    if (++this.#objects > OBJECT_LIMIT)
      throw new ProtobufError(`the body has more than ${OBJECT_LIMIT} objects`)
    const object: JsonObject = {}
    this.#fill(object, type, state)
    return object
  }

  #fill(object: JsonObject, type: MessageType, state: MessageState): void {
    const { fields } = type
    for (let index = 0; index < fields.length; index++) {
      const field = fields[index]!
      const value = state[index]
      if (field.name === '' && field.message) this.#fill(object, field.message, stateOf(value))
      else if (!isLeftOut(field, value)) setKey(object, field.name, this.#field(field, value))
    }
  }

  #field(field: MessageField, value: unknown): unknown {
    if (field.label === 'list') {
      return Array.isArray(value) ? value.map((item: unknown) => this.#one(field, item)) : null
    }
    if (field.label === 'map') {
      if (!(value instanceof Map)) return null
      const map: ReadonlyMap<string, unknown> = value
      const object: JsonObject = {}
      const entries = [...map].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
      for (const [key, item] of entries) setKey(object, key, this.#one(field, item))
      return object
    }
    if (value === undefined && (field.pointer || field.kind === 'y' || field.message?.isList)) return null
    return this.#one(field, value)
  }

  #one(field: MessageField, value: unknown): unknown {
    switch (field.kind) {
      case 's':
        return value ?? ''
      case 'b':
        return value ?? false
      case 'i':
      case 'l':
        return value ?? 0
      case 'd':
        if (!Number.isFinite(value ?? 0))
          throw new ProtobufError(`json: unsupported value: ${goFloat(value)}`)
        return value ?? 0
      case 'y':
        return encodeBase64(value instanceof Uint8Array ? value : new Uint8Array())
      case '@':
        return this.value(field.message, stateOf(value))
    }
  }
}

function isLeftOut(field: MessageField, value: unknown): boolean {
  if (field.omitZero && field.kind === '@') return stateOf(value).length === 0
  if (!field.omitEmpty) return false
  if (value === undefined) return field.pointer || field.kind !== '@' || field.label !== 'one'
  if (field.label !== 'one') return value instanceof Map ? value.size === 0 : stateOf(value).length === 0
  if (value instanceof Uint8Array) return value.length === 0
  return !field.pointer && (value === '' || value === 0 || value === false)
}

function goFloat(value: unknown): string {
  return value === Infinity ? '+Inf' : value === -Infinity ? '-Inf' : 'NaN'
}
