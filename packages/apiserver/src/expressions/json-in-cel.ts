import { isExactNumber } from '@homeostat/api'
import { ArrayList, MapValue, type Value } from '@homeostat/cel'
import { getKey, isObject, type JsonObject } from '../schema/index.ts'

/** An untyped JSON value in CEL. Its parts are converted when they are read. */
export function jsonInCel(value: unknown): Value {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : value
  if (isExactNumber(value)) return exactNumber(value.rawJSON)
  if (Array.isArray(value)) return new ArrayList(value.map((part) => jsonInCel(part)))
  return isObject(value) ? new JsonMap(value) : null
}

function exactNumber(text: string): Value {
  return /^-?\d+$/.test(text) ? BigInt(text) : Number(text)
}

/** An untyped JSON object in CEL. Its values are converted when they are read. */
export class JsonMap extends MapValue {
  protected readonly content: JsonObject
  /** The parts that were read: expressions of many policies read the same ones. */
  readonly #read = new Map<string, Value>()

  constructor(content: JsonObject) {
    super()
    this.content = content
  }

  override get size(): number {
    return Object.keys(this.content).length
  }

  override get(key: Value): Value | undefined {
    if (typeof key !== 'string') return undefined
    const known = this.#read.get(key)
    if (known !== undefined) return known
    const value = getKey(this.content, key)
    if (value === undefined) return undefined
    const converted = jsonInCel(value)
    this.#read.set(key, converted)
    return converted
  }

  override keys(): Iterable<Value> {
    return Object.keys(this.content)
  }
}
