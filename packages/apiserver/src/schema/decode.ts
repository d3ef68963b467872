import { base64Problem, isExactNumber, numberText } from '@homeostat/api'
import { mentionsEmbedded } from './embedded-resource.ts'
import { invalidValue, type FieldError } from './errors/field-error.ts'
import { elementType, goNameOf } from './go-names.ts'
import { MICRO_TIME_LAYOUT, TIME_LAYOUT, timeProblem } from './values/go-time.ts'
import { isObject } from './values/json.ts'
import { quantityProblem } from './values/quantity.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'
import {
  additionalOf,
  definitionName,
  isNative,
  OBJECT_META,
  propertiesOf,
  resolve,
  schemaIn,
} from './type-view.ts'

/**
 * Why an object cannot be decoded, as a Kubernetes API server's message, or `undefined` where it can: a value has the
 * wrong type for its field. The caller adds the object: `Deployment in version "v1" cannot be handled as a
 * Deployment: …`. For a custom resource, only its metadata and those of embedded resources are checked here;
 * `validate` checks the types of its schema.
 */
export function decodeProblem(schema: TypeSchema, value: unknown, kind: string): string | undefined {
  if (isNative(schema)) return firstProblem(schema, schema.root, value, { struct: kind, schema })
  if (!isObject(value)) return undefined
  const problem = metadataProblem(schema, value['metadata'])
  if (problem) return problem
  const embedded = embeddedProblem(schema, value)
  return embedded && `${embedded.field}: ${embedded.message}`
}

/** The first type or metadata of a resource inside a custom object, or inside a default at a path, that cannot be read. */
export function embeddedProblem(schema: TypeSchema, value: unknown, path = ''): FieldError | undefined {
  return embeddedIn(schema, schema.root, value, path)
}

/** Why the metadata of an object cannot be read; undefined where they can. */
export function metadataProblem(schema: TypeSchema, metadata: unknown): string | undefined {
  if (metadata === undefined || metadata === null || isObject(metadata)) {
    const problemOf = (value: unknown) => firstProblem(schema, OBJECT_META, value, { struct: 'ObjectMeta' })
    // Kubernetes reads the metadata of a custom resource from a map, whose keys it sorts: the first problem is that of the
    // first key in that order.
    return problemOf(metadata) && problemOf(readAsMap(metadata))
  }
  return `json: cannot unmarshal ${jsonKind(metadata)} into Go value of type v1.ObjectMeta`
}

/** A value with its keys sorted, and with numbers as floating-point numbers where they are not whole numbers of 64 bits. */
function readAsMap(value: unknown): unknown {
  if (isExactNumber(value)) return isInt64(value.rawJSON) ? value : Number(value.rawJSON)
  if (Array.isArray(value)) return value.map(readAsMap)
  if (!isObject(value)) return value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, readAsMap(value[key])]))
}

function embeddedIn(
  schema: TypeSchema,
  node: SchemaNode,
  value: unknown,
  path: string,
): FieldError | undefined {
  if (!mentionsEmbedded(node)) return undefined
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = node.items && embeddedIn(schema, node.items, item, `${path}[${index}]`)
      if (problem) return problem
    }
  } else if (isObject(value)) {
    if (node['x-kubernetes-embedded-resource']) {
      const at = (name: string): string => (path === '' ? name : `${path}.${name}`)
      for (const name of ['apiVersion', 'kind']) {
        const given = value[name]
        if (given !== undefined && typeof given !== 'string') {
          return invalidValue(at(name), given, 'must be a string')
        }
      }
      const problem = metadataProblem(schema, value['metadata'])
      if (problem) return invalidValue(at('metadata'), value['metadata'], problem)
    }
    for (const key of Object.keys(value)) {
      const property = propertiesOf(node).get(key)
      const child = property ?? additionalOf(node)
      const at = property ? (path === '' ? key : `${path}.${key}`) : `${path}[${key}]`
      const problem = child && embeddedIn(schema, child, value[key], at)
      if (problem) return problem
    }
  }
  return undefined
}

/** The place of a value. Its path is computed only for a problem. */
interface Place {
  /** The place of the object or list that the value is in; undefined for the whole object. */
  readonly parent?: Place
  /** The schema of a whole native object. */
  readonly schema?: TypeSchema
  /** The Go type that has the field. */
  readonly struct: string
  /** The definition that has the field; empty where none does. */
  readonly definition?: string
  /** The name of the field; undefined for an item of a list or a value of a map. */
  readonly key?: string | undefined
}

/** The path of a place and the named Go type there, if any, as Kubernetes' messages have them. */
function wordsFor({ parent, definition = '', key }: Place): { path: string; type: string } {
  if (!parent) return { path: '', type: '' }
  const outer = wordsFor(parent)
  if (key === undefined) return { path: outer.path, type: elementType(outer.type) }
  const { path, type } = goNameOf(definition || nameOfRoot(parent), key)
  return { path: outer.path === '' ? path : `${outer.path}.${path}`, type }
}

/** The name of the definition of a whole object; empty for other places. */
function nameOfRoot({ schema }: Place): string {
  if (!schema) return ''
  const { root, definitions } = schema
  return Object.keys(definitions).find((name) => definitions[name] === root) ?? ''
}

/**
 * The error that Go reports for a value that it cannot read. Go continues after a value of the wrong type,
 * and reports the first one at the end. It stops at a type that parses its own text, such as a time or a
 * quantity, and reports that error instead.
 */
function firstProblem(
  schema: TypeSchema,
  node: SchemaNode,
  value: unknown,
  place: Place,
): string | undefined {
  const reading: Reading = { schema, mismatch: undefined }
  return check(reading, node, value, place) ?? reading.mismatch
}

/** The value being read, and the first value of the wrong type that was found in it. */
interface Reading {
  readonly schema: TypeSchema
  mismatch: string | undefined
}

/** Checks a value. Returns the problem that stops the reader; `reading` keeps the first of all other problems. */
function check(reading: Reading, node: SchemaNode, value: unknown, place: Place): string | undefined {
  if (value === null || value === undefined) return undefined
  if (node.$ref !== undefined) {
    const type = SPECIAL.get(shortName(node))
    if (type) return type(value, place)
    const name = definitionName(node)
    if (schemaIn(node) !== node) return checkSchemaOr(reading.schema, schemaIn(node), name, value, place)
  }
  const target = resolve(reading.schema, node)
  if (target['x-kubernetes-int-or-string']) return intOrString(value, place)
  if (target.type === 'object') return checkObject(reading, node, target, value, place)
  if (target.type === 'array') return checkList(reading, target, value, place)
  reading.mismatch ??= plainProblem(target, value, place)
  return undefined
}

/** Why a text, a number or a boolean cannot be decoded. */
function plainProblem(target: SchemaNode, value: unknown, place: Place): string | undefined {
  switch (target.type) {
    case 'string':
      return checkText(target, value, place)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : mismatch(value, place, 'bool')
    case 'integer':
      return checkInteger(target, value, place)
    case 'number':
      return numberText(value) === undefined ? mismatch(value, place, 'float64') : undefined
    default:
      return undefined
  }
}

/** An object whose JSON text has a key more than once, with every value of each key in the order of the text. */
export class RepeatedKeys {
  readonly entries: readonly (readonly [key: string, value: unknown])[]

  constructor(entries: readonly (readonly [string, unknown])[]) {
    this.entries = entries
  }
}

function checkObject(
  reading: Reading,
  node: SchemaNode,
  target: SchemaNode,
  value: unknown,
  place: Place,
): string | undefined {
  if (!isObject(value)) {
    reading.mismatch ??= mismatch(value, place, goType(node))
    return undefined
  }
  const additional = additionalOf(target)
  const properties = propertiesOf(target)
  const definition = definitionName(node)
  const struct = node.$ref ? shortName(node) : place.struct
  const inside: Place = { parent: place, struct: place.struct }
  for (const [key, part] of value instanceof RepeatedKeys ? value.entries : Object.entries(value)) {
    const property = properties.get(key)
    const problem = property
      ? check(reading, property, part, { parent: place, struct, definition, key })
      : additional && check(reading, additional, part, inside)
    if (problem) return problem
  }
  return undefined
}

function checkList(reading: Reading, target: SchemaNode, value: unknown, place: Place): string | undefined {
  if (!Array.isArray(value)) {
    reading.mismatch ??= mismatch(value, place, goType(target))
    return undefined
  }
  const inside: Place = { parent: place, struct: place.struct }
  const items: readonly unknown[] = value
  for (const item of items) {
    const problem = target.items && check(reading, target.items, item, inside)
    if (problem) return problem
  }
  return undefined
}

function checkText(target: SchemaNode, value: unknown, place: Place): string | undefined {
  const bytes = target.format === 'byte'
  if (typeof value !== 'string') return mismatch(value, place, bytes ? '[]uint8' : 'string')
  return bytes ? base64Problem(value) : undefined
}

function checkInteger(target: SchemaNode, value: unknown, place: Place): string | undefined {
  const type = target.format === 'int32' ? 'int32' : 'int64'
  if (isExactNumber(value)) {
    return type === 'int64' && isInt64(value.rawJSON)
      ? undefined
      : mismatch(value, place, type, ` ${value.rawJSON}`)
  }
  if (typeof value !== 'number') return mismatch(value, place, type)
  const whole =
    Number.isInteger(value) && (type === 'int64' ? Math.abs(value) < 2 ** 63 : value === (value | 0))
  return whole ? undefined : mismatch(value, place, type, ` ${value}`)
}

export function isInt64(text: string): boolean {
  return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

function intOrString(value: unknown, place: Place): string | undefined {
  if (typeof value === 'string' || (typeof value === 'number' && value === (value | 0))) return undefined
  const text = numberText(value)
  return mismatch(value, place, 'int32', text === undefined ? '' : ` ${text}`)
}

/** Checks a field of the definition `name`, which holds a schema of the definition `inner` or something else. */
function checkSchemaOr(
  schema: TypeSchema,
  inner: SchemaNode,
  name: string,
  value: unknown,
  place: Place,
): string | undefined {
  if (isObject(value)) return firstProblem(schema, inner, value, place)
  if (name.endsWith('OrBool')) {
    return typeof value === 'boolean' ? undefined : 'boolean or JSON schema expected'
  }
  // A scalar counts as absent.
  if (!Array.isArray(value)) return undefined
  for (const item of value) {
    const problem = name.endsWith('OrStringArray')
      ? typeof item === 'string' || item === null
        ? undefined
        : mismatch(item, place, 'string')
      : firstProblem(schema, inner, item, place)
    if (problem !== undefined) return problem
  }
  return undefined
}

const SPECIAL: ReadonlyMap<string, (value: unknown, place: Place) => string | undefined> = new Map(
  Object.entries<(value: unknown, place: Place) => string | undefined>({
    Quantity: (value) => quantityProblem(value),
    // Any JSON; the kind's own validation checks it.
    RawExtension: () => undefined,
    FieldsV1: () => undefined,
    Time: (value, place) => checkTime(value, place, TIME_LAYOUT),
    MicroTime: (value, place) => checkTime(value, place, MICRO_TIME_LAYOUT),
  }),
)

function checkTime(value: unknown, place: Place, layout: string): string | undefined {
  if (typeof value !== 'string') return mismatch(value, place, 'string')
  return timeProblem(value, layout)
}

function mismatch(value: unknown, place: Place, type: string, detail = ''): string {
  const words = wordsFor(place)
  return `json: cannot unmarshal ${jsonKind(value)}${detail} into Go struct field ${place.struct}.${words.path} of type ${words.type || type}`
}

/** Go's name for the type of a JSON value. */
export function jsonKind(value: unknown): string {
  if (typeof value === 'boolean') return 'bool'
  if (isExactNumber(value)) return 'number'
  return Array.isArray(value) ? 'array' : typeof value
}

function shortName(node: SchemaNode): string {
  const name = definitionName(node)
  return name.slice(name.lastIndexOf('.') + 1)
}

/** The name of a Go type: `v1.PodSpec`, `[]string`, `map[string]string`. */
function goType(node: SchemaNode): string {
  const name = definitionName(node)
  if (name !== '') return name.split('.').slice(-2).join('.')
  if (node.type === 'array') return `[]${node.items ? goType(node.items) : 'interface {}'}`
  const additional = additionalOf(node)
  if (additional) return `map[string]${goType(additional)}`
  if (node.type === 'boolean') return 'bool'
  if (node.type === 'integer') return node.format === 'int32' ? 'int32' : 'int64'
  if (node.type === 'object') return 'map[string]interface {}'
  return node.format === 'byte' ? '[]uint8' : 'string'
}
