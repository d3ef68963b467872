import {
  base64Problem,
  canonicalText,
  deepEqual,
  getKey,
  isExactNumber,
  isJsonObject,
  type JsonObject,
  parseFormatDuration,
} from '@homeostat/api'
import { opaqueType } from '../types/type.ts'
import { equalValues } from '../values/compare.ts'
import { ArrayList } from '../values/list-value.ts'
import { parseTimestamp } from '../values/time.ts'
import {
  DurationValue,
  EvaluationError,
  ListValue,
  MapValue,
  OpaqueValue,
  Timestamp,
  type Value,
} from '../values/value.ts'
import { additionalOf, propertiesOf, type ValueSchema } from './value-schema.ts'
import { asResource } from './declared-type.ts'
import { escapeName, unescapeName } from './escape.ts'

/** A JSON value as rules see it. Its parts are converted when they are read. */
export function schemaValue(value: unknown, node: ValueSchema): Value {
  if (value === null || value === undefined) {
    return node.nullable ? null : fail('invalid data, got null for schema with nullable=false')
  }
  if (node['x-kubernetes-int-or-string']) {
    if (typeof value === 'string') return value
    return (
      integerOf(value) ?? fail('invalid data, expected XIntOrString value to be either a string or integer')
    )
  }
  switch (node.type) {
    case 'object':
      if (!isJsonObject(value))
        return fail('invalid data, expected a map for the provided schema with type=object')
      return new SchemaMap(value, node['x-kubernetes-embedded-resource'] ? asResource(node) : node)
    case 'array':
      return listValue(value, node)
    case 'string':
      return typeof value === 'string'
        ? textValue(value, node)
        : fail(`invalid data, expected string, got ${goType(value)}`)
    case 'number':
      return doubleOf(value) ?? fail(`invalid data, expected float, got ${goType(value)}`)
    case 'integer':
      return integerOf(value) ?? fail(`invalid data, expected int, got ${goType(value)}`)
    case 'boolean':
      return typeof value === 'boolean' ? value : fail(`invalid data, expected bool, got ${goType(value)}`)
    default:
      if (node['x-kubernetes-preserve-unknown-fields']) return new PreservedValue(value)
      return fail(
        `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${node.type ?? ''}`,
      )
  }
}

function fail(message: string): EvaluationError {
  return new EvaluationError(message)
}

function rawNumber(value: unknown): string | undefined {
  return isExactNumber(value) ? value.rawJSON : undefined
}

function integerOf(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined
  if (typeof value === 'bigint') return value
  const raw = rawNumber(value)
  return raw !== undefined && /^-?\d+$/.test(raw) ? BigInt(raw) : undefined
}

function doubleOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  const raw = typeof value === 'bigint' ? value : rawNumber(value)
  return raw === undefined ? undefined : Number(raw)
}

function goType(value: unknown): string {
  if (Array.isArray(value)) return '[]interface {}'
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64'
    case 'string':
      return 'string'
    default:
      return rawNumber(value) === undefined ? 'map[string]interface {}' : 'int64'
  }
}

function textValue(text: string, node: ValueSchema): Value {
  switch (node.format) {
    case 'duration': {
      const nanos = parseFormatDuration(text)
      return nanos === undefined
        ? fail(`Invalid duration ${text}: unable to parse ${text} as duration`)
        : new DurationValue(nanos)
    }
    case 'date':
    case 'date-time': {
      const time = parseTimestamp(node.format === 'date' ? `${text}T00:00:00Z` : dateTime(text))
      return time
        ? new Timestamp(time.nanos, time.offset)
        : fail(`Invalid ${node.format} formatted string ${text}`)
    }
    case 'byte': {
      // Kubernetes reads the alphabet for URLs here, although validation takes the usual one.
      const problem = base64Problem(text, 'A-Za-z0-9_-')
      if (problem) return fail(`Invalid byte formatted string ${text}: ${problem}`)
      const usual = text.replaceAll('-', '+').replaceAll('_', '/')
      return Uint8Array.from(atob(usual), (char) => char.charCodeAt(0))
    }
    default:
      return text
  }
}

/** The format allows a space or lower-case letters, and a zone without a colon or none. */
function dateTime(text: string): string {
  const plain = text.toUpperCase().replace(' ', 'T')
  const zoned = plain.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')
  return /(Z|[+-]\d\d:\d\d)$/.test(zoned) ? zoned : `${zoned}Z`
}

function listValue(value: unknown, node: ValueSchema): Value {
  if (!Array.isArray(value))
    return fail('invalid data, expected an array for the provided schema with type=array')
  if (!node.items) return fail('invalid array type, expected Items with a non-empty Schema')
  const type = node['x-kubernetes-list-type']
  if (type === 'set') return new SetList(value, node.items)
  if (type === 'map') return new KeyedList(value, node.items, node['x-kubernetes-list-map-keys'] ?? [])
  return new SchemaList(value, node.items)
}

/** Values that no schema describes: they can only be compared. */
class PreservedValue extends OpaqueValue {
  readonly type = opaqueType('unknown')
  readonly content: unknown

  constructor(content: unknown) {
    super()
    this.content = content
  }

  override equals(other: OpaqueValue): boolean {
    return other instanceof PreservedValue && deepEqual(this.content, other.content)
  }
}

/** An object or a map. In an object, a field that is null is absent. */
class SchemaMap extends MapValue {
  readonly content: JsonObject
  readonly #node: ValueSchema
  readonly #isObject: boolean

  constructor(content: JsonObject, node: ValueSchema) {
    super()
    this.content = content
    this.#node = node
    this.#isObject = node.properties !== undefined
  }

  override get size(): number {
    return Object.keys(this.content).length
  }

  override get(key: Value): Value | undefined {
    if (typeof key !== 'string') return fail('no such overload')
    const name = this.#isObject ? unescapeName(key) : key
    return name === undefined ? undefined : this.#property(name)
  }

  override *keys(): Iterable<Value> {
    for (const name of Object.keys(this.content)) {
      if (!this.#schemaOf(name)) continue
      yield this.#isObject ? (escapeName(name) ?? name) : name
    }
  }

  override equals(other: MapValue): boolean | undefined {
    if (!(other instanceof SchemaMap)) return undefined
    if (this.size !== other.size) return false
    return Object.keys(this.content).every((name) => {
      if (!this.#schemaOf(name)) {
        return !Object.hasOwn(other.content, name) || deepEqual(this.content[name], other.content[name])
      }
      const [mine, theirs] = [this.#property(name), other.#property(name)]
      if (mine === undefined || theirs === undefined) return mine === theirs
      return equalValues(mine, theirs)
    })
  }

  #schemaOf(name: string): ValueSchema | undefined {
    return this.#isObject ? propertiesOf(this.#node).get(name) : additionalOf(this.#node)
  }

  #property(name: string): Value | undefined {
    const value = getKey(this.content, name)
    if (value === undefined || (this.#isObject && value === null)) return undefined
    const node = this.#schemaOf(name)
    return node && schemaValue(value, node)
  }
}

/** A list whose elements a schema describes. */
class SchemaList extends ListValue {
  readonly content: readonly unknown[]
  protected readonly items: ValueSchema

  constructor(content: readonly unknown[], items: ValueSchema) {
    super()
    this.content = content
    this.items = items
  }

  override get length(): number {
    return this.content.length
  }

  override at(index: number): Value {
    return schemaValue(this.content[index], this.items)
  }
}

/** A list that is a set: equal in any order, and a sum is a union. */
class SetList extends SchemaList {
  override equals(other: ListValue): boolean {
    if (other.length !== this.length) return false
    const own = new Set(Array.from(this, (element) => scalarKey(element)))
    return Array.from(other).every((element) => own.has(scalarKey(element)))
  }

  override concat(other: ListValue): ListValue {
    const own = [...this]
    const seen = new Set(own.map((element) => scalarKey(element)))
    const added = [...other].filter((element) => {
      const key = scalarKey(element)
      if (seen.has(key)) return false
      seen.add(key)
      return true
    })
    return new UnionList([...own, ...added])
  }
}

/** The union of a set with others: a set as well. */
class UnionList extends ArrayList {
  override equals(other: ListValue): boolean {
    if (other.length !== this.length) return false
    const own = new Set(this.elements.map((element) => scalarKey(element)))
    return Array.from(other).every((element) => own.has(scalarKey(element)))
  }
}

function scalarKey(value: Value): unknown {
  if (value instanceof Timestamp || value instanceof DurationValue) return value.nanos
  return value instanceof PreservedValue ? canonicalText(value.content) : value
}

/** A list of type `map`: its order does not matter to equality, and `+` replaces elements with the same keys. */
class KeyedList extends SchemaList {
  readonly #keys: readonly string[]

  constructor(content: readonly unknown[], items: ValueSchema, keys: readonly string[]) {
    super(content, items)
    this.#keys = keys
  }

  #identity(element: unknown): string {
    return canonicalText(
      this.#keys.map((key) => (isJsonObject(element) ? getKey(element, key) : undefined) ?? null),
    )
  }

  override equals(other: ListValue): boolean | undefined {
    if (!(other instanceof SchemaList)) return undefined
    if (other.length !== this.length) return false
    const own = new Map(this.content.map((element) => [this.#identity(element), element]))
    return other.content.every((element, index) => {
      const mine = own.get(this.#identity(element))
      return mine !== undefined && equalValues(schemaValue(mine, this.items), other.at(index))
    })
  }

  override concat(other: ListValue): ListValue | undefined {
    if (!(other instanceof SchemaList)) return undefined
    const content = [...this.content]
    const places = new Map(content.map((element, index) => [this.#identity(element), index]))
    for (const element of other.content) {
      const place = places.get(this.#identity(element))
      if (place === undefined) content.push(element)
      else content[place] = element
    }
    return new KeyedList(content, this.items, this.#keys)
  }
}
