import { isExactNumber, oncePerObject } from '@homeostat/api'
import { isObject, type JsonObject } from './values/json.ts'
import { canonicalQuantity, parseQuantity } from './values/quantity.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'
import { additionalOf, definitionName, OBJECT_META, propertiesOf, resolve, schemaIn } from './type-view.ts'
import { lostEmpty, noteEmpty } from './values/sent-empty.ts'

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'
const TIME = 'io.k8s.apimachinery.pkg.apis.meta.v1.Time'
const NUMBER_OR_TEXT = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'
const MICRO_TIME = 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime'

/**
 * Converts a native object, in place, to the form in which Kubernetes writes it: drops nulls and the empty values
 * that Kubernetes leaves out, and makes quantities and times canonical. So equal objects have the same JSON, however
 * a client wrote them.
 */
export function toWireForm(schema: TypeSchema, value: unknown): void {
  walk(schema, schema.root, value)
}

/** Does the same for the metadata of a custom resource. */
export function toWireMetadata(schema: TypeSchema, metadata: unknown): void {
  walk(schema, resolve(schema, OBJECT_META), metadata)
}

/** The fields that one definition leaves out or writes as null. */
interface ZeroRules {
  readonly omitted: ReadonlySet<string>
  readonly nulled: ReadonlySet<string>
}

const rulesOf = oncePerObject((node: SchemaNode): ZeroRules => {
  const { 'x-homeostat-omitted': omitted, 'x-homeostat-nulled': nulled } = node
  return { omitted: new Set(omitted), nulled: new Set(nulled) }
})

/** The fields of a native definition that are null, rather than absent, when they are not set. */
export function nulledFields(node: SchemaNode): ReadonlySet<string> {
  return rulesOf(node).nulled
}

/** The fields of a native definition that are left out when they are empty, zero or false. */
export function omittedFields(node: SchemaNode): ReadonlySet<string> {
  return rulesOf(node).omitted
}

const SINGLE = new Set(['string', 'integer', 'number', 'boolean'])

/**
 * The value of a native object's field after Go has decoded a null over its former value. It stays for a text, a
 * number, a boolean or a struct, and becomes null for a pointer, a list or a map. A text in a field that may also hold
 * a number becomes the number 0. `parent` is the schema of its object or list.
 */
export function afterNull(
  schema: TypeSchema,
  parent: SchemaNode | undefined,
  name: string,
  node: SchemaNode,
  before: unknown,
): unknown {
  if (!isKeptByNull(schema, parent, name, node)) return null
  return definitionName(node) === NUMBER_OR_TEXT && typeof before === 'string' ? 0 : before
}

function isKeptByNull(
  schema: TypeSchema,
  parent: SchemaNode | undefined,
  name: string,
  node: SchemaNode,
): boolean {
  const { target, form, collection } = partOf(schema, node)
  if (collection || form === 'bytes' || form === 'time' || form === 'micro time' || form === 'quantity')
    return false
  if (parent === schema.root && (name === 'apiVersion' || name === 'kind')) return true
  if (node.default !== undefined) return true
  // Ports of Services and probes are not pointers, unlike other numbers or texts.
  if (definitionName(node) === NUMBER_OR_TEXT)
    return name === 'targetPort' || (parent?.required?.includes(name) ?? false)
  return SINGLE.has(target.type ?? '') && parent !== undefined && omittedFields(parent).has(name)
}

function walk(schema: TypeSchema, node: SchemaNode, value: unknown): void {
  if (Array.isArray(value)) {
    const { items } = node
    if (!items) return
    const { target, form } = partOf(schema, items)
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index] ?? zeroOf(items, target)
      value[index] = form ? single(form, item) : item
      if (typeof item === 'object') walk(schema, target, value[index])
    }
  } else if (isObject(value)) {
    if (node.properties) walkStruct(schema, node, value)
    else {
      const additional = additionalOf(node)
      if (!additional) return
      const { target, form } = partOf(schema, additional)
      for (const key of Object.keys(value)) {
        const item = value[key] ?? zeroOf(additional, target)
        value[key] = form ? single(form, item) : item
        if (typeof item === 'object') walk(schema, target, value[key])
      }
    }
  }
}

/** How values with a canonical form are written. */
type Form = 'quantity' | 'time' | 'micro time' | 'number' | 'bytes' | 'schema or list'

/** The facts of a schema node, computed once for all values. */
interface Part {
  readonly target: SchemaNode
  readonly form: Form | undefined
  readonly collection: boolean
}

const partsIn = oncePerObject((definitions: TypeSchema['definitions']) =>
  oncePerObject((node: SchemaNode): Part => {
    const target = resolve({ definitions }, schemaIn(node))
    const collection = target.type === 'array' || additionalOf(target) !== undefined
    return { target, form: formOf(node), collection }
  }),
)

function partOf({ definitions }: TypeSchema, node: SchemaNode): Part {
  return partsIn(definitions)(node)
}

const OR_LIST = '.JSONSchemaPropsOrArray'

function formOf(node: SchemaNode): Form | undefined {
  if (definitionName(node).endsWith(OR_LIST)) return 'schema or list'
  switch (definitionName(node)) {
    case QUANTITY:
      return 'quantity'
    case TIME:
      return 'time'
    case MICRO_TIME:
      return 'micro time'
    default:
      if (node.type === 'number') return 'number'
      return node.format === 'byte' ? 'bytes' : undefined
  }
}

function walkStruct(schema: TypeSchema, node: SchemaNode, object: JsonObject): void {
  const { omitted, nulled } = rulesOf(node)
  const properties = propertiesOf(node)
  for (const name of nulled) object[name] ??= null
  for (const name of Object.keys(object)) {
    const property = properties.get(name)
    if (!property) continue
    const { target, form, collection } = partOf(schema, property)
    const value = object[name]
    if (isZeroTime(form, value)) {
      if (METADATA_TIMES.has(name) && !nulled.has(name)) delete object[name]
      else object[name] = null
    } else if (value === null || value === undefined) {
      if (!nulled.has(name)) delete object[name]
    } else if (form === 'schema or list' && !isSchemaOrList(value)) {
      drop(object, name)
    } else if (isEmpty(value)) {
      // `nullEmptyLists` makes these null, once their owner is recorded.
      if (collection && nulled.has(name)) continue
      if (omitted.has(name)) drop(object, name)
      else if (form === 'quantity') object[name] = single(form, value)
      else if (isObject(value)) walk(schema, target, value)
    } else {
      if (form) object[name] = single(form, value)
      if (typeof value === 'object') walk(schema, target, value)
    }
  }
}

/** Whether `items` are a schema or a list of some. Kubernetes drops anything else. */
function isSchemaOrList(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value)
}

function drop(object: JsonObject, name: string): void {
  if (typeof object[name] === 'object') noteEmpty(object, name)
  delete object[name]
}

/** Whether a list or map anywhere in a native object was sent empty. */
export function hasSentEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasSentEmpty)
  if (!isObject(value)) return false
  return lostEmpty(value) || Object.values(value).some(hasSentEmpty)
}

/** Times of metadata, which are absent rather than null where they are Go's zero time. */
const METADATA_TIMES = new Set(['creationTimestamp', 'deletionTimestamp', 'time'])

/** Whether a value is Go's zero time, the first second of the year 1. Kubernetes writes it as null. */
function isZeroTime(form: Form | undefined, value: unknown): boolean {
  if ((form !== 'time' && form !== 'micro time') || typeof value !== 'string') return false
  return /^0001-01-01T00:00:00(\.0+)?Z$/.test(value)
}

/** Whether a value is empty. Kubernetes writes an empty struct nevertheless. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0
  if (isObject(value)) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}

/** The value that null becomes inside a list or a map. */
function zeroOf(node: SchemaNode, target: SchemaNode): unknown {
  if (definitionName(node) === QUANTITY) return '0'
  if (target.type === 'object') return {}
  return target.type === 'string' ? '' : null
}

function single(form: Form, value: unknown): unknown {
  switch (form) {
    case 'quantity': {
      const quantity = parseQuantity(value)
      return quantity ? canonicalQuantity(quantity) : value
    }
    case 'time':
      return inUtc(value, 0)
    case 'micro time':
      return inUtc(value, 6)
    case 'number':
      // A number that may have a fraction is the nearest that a double holds.
      return isExactNumber(value) ? Number(value.rawJSON) : value
    case 'bytes':
      // Lines that base64 is broken into are joined.
      return typeof value === 'string' ? value.replaceAll(/[\r\n]/g, '') : value
    case 'schema or list':
      return value
  }
}

const TIME_PATTERN = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.(\d+))?(Z|[+-]\d{2}:\d{2})$/

/** A time in UTC with a number of digits of a second. Returns other values unchanged: decoding reports them. */
function inUtc(value: unknown, digits: number): unknown {
  const match = typeof value === 'string' ? TIME_PATTERN.exec(value) : null
  if (!match) return value
  const [, seconds = '', fraction = '', zone = ''] = match
  // Nearly every time is in this form already. Decoding has refused days and hours that do not exist.
  if (zone === 'Z' && digits === fraction.length) return value
  const milliseconds = Date.parse(`${seconds}${zone}`)
  if (Number.isNaN(milliseconds)) return value
  const text = new Date(milliseconds).toISOString().slice(0, 19)
  return digits === 0 ? `${text}Z` : `${text}.${fraction.padEnd(digits, '0').slice(0, digits)}Z`
}
