import {
  additionalOf,
  afterNull,
  isObject,
  type JsonObject,
  propertiesOf,
  RepeatedKeys,
  resolve,
  type SchemaNode,
  setKey,
  type TypeSchema,
} from '../schema/index.ts'
import { DEPTH_LIMIT, tooDeep } from './body-error.ts'
import { endOfString, keyText } from './json/scan-json.ts'

/**
 * Parses a JSON text with duplicate keys as Go decodes it into a native object. A second object is merged into the
 * first, and the items of a second list into those of the same index. A null keeps the fields that are not pointers, lists
 * or maps in Go. Otherwise the last value counts, as it does for the entries of a map. Without a schema, what a field is
 * follows from its value and its name. The text must be valid JSON; `scalar` parses its scalars. Fails
 * with a {@link BodyError} where it is nested too deep, also in values that do not count.
 */
export function mergeDuplicates(
  text: string,
  scalar: (text: string) => unknown,
  schema?: TypeSchema,
): unknown {
  return new MergingReader(text, scalar, { schema }).value(undefined, '', schema?.root)
}

/**
 * The same text with the first values of duplicate keys, which {@link mergeDuplicates} replaces. Go decodes them too,
 * and fails where one has the wrong type.
 */
export function firstValues(text: string, scalar: (text: string) => unknown): unknown {
  return new MergingReader(text, scalar, { keepsFirst: true }).value(undefined)
}

/** The same text with every value in the order of the text: an object with duplicate keys is a {@link RepeatedKeys}. */
export function everyValue(text: string, scalar: (text: string) => unknown): unknown {
  return new MergingReader(text, scalar, { keepsEvery: true }).value(undefined)
}

interface ReaderOptions {
  readonly schema?: TypeSchema | undefined
  readonly keepsFirst?: boolean
  readonly keepsEvery?: boolean
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
  readonly #options: ReaderOptions
  #position = 0
  #depth = 0

  constructor(text: string, scalar: (text: string) => unknown, options: ReaderOptions) {
    this.#text = text
    this.#scalar = scalar
    this.#options = options
  }

  /** Reads a value. `before` is the former value of the same field, `node` its schema, and `parent` that of its object. */
  value(before: unknown, key = '', node?: SchemaNode, parent?: SchemaNode): unknown {
    const { schema, keepsFirst } = this.#options
    const start = this.#next()
    if (start === '{' || start === '[') {
      if (++this.#depth > DEPTH_LIMIT) throw tooDeep()
      const target = node && schema && resolve(schema, node)
      const value =
        start === '{'
          ? this.#object(isObject(before) ? before : {}, target)
          : this.#list(Array.isArray(before) ? before : [], target)
      this.#depth--
      return keepsFirst ? (before ?? value) : value
    }
    const value = this.#scalar(this.#scalarText(start))
    if (keepsFirst) return before ?? value
    if (value !== null || before === undefined) return value
    if (node && schema) return afterNull(schema, parent, key, node, before)
    const kept = typeof before !== 'object' || ((STRUCTS.has(key) || key === ITEM) && isObject(before))
    return kept ? before : value
  }

  #object(object: JsonObject, target: SchemaNode | undefined): JsonObject | RepeatedKeys {
    const entries: [string, unknown][] = []
    const properties = target && propertiesOf(target)
    const isMap = target && additionalOf(target) !== undefined
    this.#position++
    while (this.#next() !== '}') {
      if (this.#next() === ',') this.#position++
      this.#next()
      const end = endOfString(this.#text, this.#position)
      const key = keyText(this.#text.slice(this.#position, end + 1))
      this.#position = end + 1
      this.#next()
      this.#position++
      const isMerged = !isMap && !this.#options.keepsEvery && Object.hasOwn(object, key)
      const before = isMerged ? object[key] : undefined
      const node = target && (properties?.get(key) ?? additionalOf(target))
      const value = this.value(before, key, node, target)
      if (this.#options.keepsEvery) entries.push([key, value])
      setKey(object, key, value)
    }
    this.#position++
    return entries.length > Object.keys(object).length ? new RepeatedKeys(entries) : object
  }

  /** An item is merged into the former one of the same index. */
  #list(before: readonly unknown[], target: SchemaNode | undefined): unknown[] {
    const list: unknown[] = []
    this.#position++
    while (this.#next() !== ']') {
      if (this.#next() === ',') this.#position++
      list.push(this.value(before[list.length], ITEM, target?.items, target))
    }
    this.#position++
    return list
  }

  #scalarText(start: string): string {
    const from = this.#position
    if (start === '"') this.#position = endOfString(this.#text, from) + 1
    else {
      END_OF_SCALAR.lastIndex = from
      this.#position = END_OF_SCALAR.exec(this.#text)?.index ?? this.#text.length
    }
    return this.#text.slice(from, this.#position)
  }

  /** Goes to the next character that is not a space. */
  #next(): string {
    while (' \n\r\t'.includes(this.#text[this.#position] ?? '}')) this.#position++
    return this.#text[this.#position] ?? '}'
  }
}
