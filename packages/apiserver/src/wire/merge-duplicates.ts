import { isObject, type JsonObject, setKey } from '../schema/index.ts'
import { DEPTH_LIMIT, tooDeep } from './body-error.ts'
import { endOfString, keyText } from './json/scan-json.ts'

/**
 * Parses a JSON text with duplicate keys as Go decodes it into a native object. A second object is merged into the
 * first, and the items of a second list into those of the same index. A null keeps a scalar, and the fields that
 * every object has. Otherwise the last value counts. The text must be valid JSON; `scalar` parses its scalars. Fails
 * with a {@link BodyError} where it is nested too deep, also in values that do not count.
 */
export function mergeDuplicates(text: string, scalar: (text: string) => unknown): unknown {
  return new MergingReader(text, scalar).value(undefined)
}

/**
 * The same text with the first values of duplicate keys, which {@link mergeDuplicates} replaces. Go decodes them too,
 * and fails where one has the wrong type.
 */
export function firstValues(text: string, scalar: (text: string) => unknown): unknown {
  return new MergingReader(text, scalar, true).value(undefined)
}

/** Fields that are never absent in Go, by their usual names in native types. */
const STRUCTS: ReadonlySet<string> = new Set([
  'backend',
  'clientConfig',
  'current',
  'daemonEndpoints',
  'deprecatedSource',
  'describedObject',
  'devices',
  'involvedObject',
  'jobTemplate',
  'kubeletEndpoint',
  'lastState',
  'limitResponse',
  'loadBalancer',
  'metadata',
  'metric',
  'nodeInfo',
  'podAffinityTerm',
  'pool',
  'port',
  'preference',
  'priorityLevelConfiguration',
  'regarding',
  'resources',
  'roleRef',
  'scaleTargetRef',
  'source',
  'spec',
  'state',
  'status',
  'strategy',
  'target',
  'template',
  'updateStrategy',
  'userInfo',
])
/** Stands for the key of an item of a list. */
const ITEM = '[]'

const END_OF_SCALAR = /[\s,\]}]|$/g

class MergingReader {
  readonly #text: string
  readonly #scalar: (text: string) => unknown
  readonly #keepsFirst: boolean
  #position = 0
  #depth = 0

  constructor(text: string, scalar: (text: string) => unknown, keepsFirst = false) {
    this.#text = text
    this.#scalar = scalar
    this.#keepsFirst = keepsFirst
  }

  value(before: unknown, key = ''): unknown {
    const start = this.#next()
    if (start === '{' || start === '[') {
      if (++this.#depth > DEPTH_LIMIT) throw tooDeep()
      const value =
        start === '{'
          ? this.#object(isObject(before) ? before : {})
          : this.#list(Array.isArray(before) ? before : [])
      this.#depth--
      return this.#keepsFirst ? (before ?? value) : value
    }
    const value = this.#scalar(this.#scalarText(start))
    if (this.#keepsFirst) return before ?? value
    const kept = typeof before !== 'object' || ((STRUCTS.has(key) || key === ITEM) && isObject(before))
    return value === null && before !== undefined && kept ? before : value
  }

  #object(object: JsonObject): JsonObject {
    this.#position++
    while (this.#next() !== '}') {
      if (this.#next() === ',') this.#position++
      this.#next()
      const end = endOfString(this.#text, this.#position)
      const key = keyText(this.#text.slice(this.#position, end + 1))
      this.#position = end + 1
      this.#next()
      this.#position++
      setKey(object, key, this.value(Object.hasOwn(object, key) ? object[key] : undefined, key))
    }
    this.#position++
    return object
  }

  /** An item is merged into the former one of the same index. */
  #list(before: readonly unknown[]): unknown[] {
    const list: unknown[] = []
    this.#position++
    while (this.#next() !== ']') {
      if (this.#next() === ',') this.#position++
      list.push(this.value(before[list.length], ITEM))
    }
    this.#position++
    return list
  }

  #scalarText(start: string): string {
    const from = this.#position
    if (start === '"') this.#position = endOfString(this.#text, from) + 1
    else {
      END_OF_SCALAR.lastIndex = from
      this.#position = END_OF_SCALAR.exec(this.#text)!.index
    }
    return this.#text.slice(from, this.#position)
  }

  /** Goes to the next character that is not a space. */
  #next(): string {
    while (' \n\r\t'.includes(this.#text[this.#position] ?? '}')) this.#position++
    return this.#text[this.#position] ?? '}'
  }
}
