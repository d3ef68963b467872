import { base64Problem, oncePerObject } from '@homeostat/api'
import { isObject, type JsonObject } from './values/json.ts'
import { canonicalQuantity, parseQuantity } from './values/quantity.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'
import { additionalOf, definitionName, isNative, propertiesOf, resolve } from './type-view.ts'
import { nulledFields, omittedFields } from './wire-form.ts'

type Definitions = TypeSchema['definitions']
/** The fields that are not set and must be null. */
type Unset = [object: JsonObject, field: string][]
type Test = (value: unknown, unset: Unset) => boolean

/**
 * Whether decoding, pruning and `toWireForm` would leave an object as it is: the object is native, all its fields are
 * known and have the right types, and their values are written as Kubernetes writes them. This holds for most objects.
 * One walk finds it out, by tests that are made once for each type. If it holds, the function sets the fields that are
 * null when they are not set. If not, it has changed nothing, and the caller runs the three functions.
 */
export function completesWireForm(schema: TypeSchema, object: JsonObject): boolean {
  const unset: Unset = []
  if (!isNative(schema) || !testsIn(schema.definitions)(schema.root)(object, unset)) return false
  for (const [struct, field] of unset) struct[field] = null
  return true
}

const testsIn = oncePerObject((definitions: Definitions) =>
  oncePerObject((node: SchemaNode): Test => testOf(definitions, node)),
)

const any: Test = () => true
const none: Test = () => false

/** The test of a value that is not null. */
function testOf(definitions: Definitions, node: SchemaNode): Test {
  const name = definitionName(node)
  const special = SPECIAL.get(name.slice(name.lastIndexOf('.') + 1))
  if (special) return special
  if (name.includes('.JSONSchemaProps') || name.endsWith('.CustomResourceSubresourceStatus')) return none
  const target = resolve({ definitions }, node)
  if (target['x-kubernetes-int-or-string']) return isInt32OrText
  if (target['x-kubernetes-preserve-unknown-fields'] || target['x-kubernetes-embedded-resource']) return none
  switch (target.type) {
    case 'object':
      return objectTest(definitions, target)
    case 'array':
      return listTest(definitions, target)
    case 'string':
      return target.format === 'byte' ? isBase64 : isText
    case 'boolean':
      return (value) => typeof value === 'boolean'
    case 'integer':
      return target.format === 'int32' ? isInt32 : Number.isSafeInteger
    case 'number':
      return (value) => typeof value === 'number'
    default:
      return any
  }
}

const SPECIAL: ReadonlyMap<string, Test> = new Map<string, Test>([
  ['Quantity', isQuantity],
  ['Time', (value) => typeof value === 'string' && TIME.test(value)],
  ['MicroTime', (value) => typeof value === 'string' && MICRO_TIME.test(value)],
  ['RawExtension', any],
  ['FieldsV1', any],
])

/** Times in UTC, on days that every month has. Go's zero time, in the year 1, is written as null. */
const DAY = String.raw`^(?!0001)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])`
const HOUR = String.raw`T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d`
const TIME = new RegExp(String.raw`${DAY}${HOUR}Z$`)
const MICRO_TIME = new RegExp(String.raw`${DAY}${HOUR}\.\d{6}Z$`)

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isBase64(value: unknown): boolean {
  return typeof value === 'string' && !/[\r\n]/.test(value) && base64Problem(value) === undefined
}

function isInt32(value: unknown): boolean {
  return typeof value === 'number' && value === (value | 0)
}

function isInt32OrText(value: unknown): boolean {
  return typeof value === 'string' || isInt32(value)
}

function isQuantity(value: unknown): boolean {
  const quantity = typeof value === 'string' ? parseQuantity(value) : undefined
  return quantity !== undefined && canonicalQuantity(quantity) === value
}

function listTest(definitions: Definitions, { items }: SchemaNode): Test {
  if (!items) return Array.isArray
  let test: Test | undefined
  return (value, unset) => {
    if (!Array.isArray(value)) return false
    // Made late: types may contain themselves.
    const isItem = (test ??= testsIn(definitions)(items))
    for (const item of value) if (item === null || item === undefined || !isItem(item, unset)) return false
    return true
  }
}

function objectTest(definitions: Definitions, target: SchemaNode): Test {
  const additional = additionalOf(target)
  if (target.properties) return additional ? none : structTest(definitions, target)
  if (!additional) return isObject
  let test: Test | undefined
  return (value, unset) => {
    if (!isObject(value)) return false
    const isEntry = (test ??= testsIn(definitions)(additional))
    for (const key of Object.keys(value)) {
      const entry = value[key]
      if (entry === null || entry === undefined || !isEntry(entry, unset)) return false
    }
    return true
  }
}

/** The facts of a field that decide whether its value is written. */
interface FieldTest {
  readonly isValue: Test
  /** Whether it is left out when it is empty. */
  readonly omitted: boolean
  /** Whether it is null when it is not set. */
  readonly nulled: boolean
}

function structTest(definitions: Definitions, target: SchemaNode): Test {
  const properties = propertiesOf(target)
  const [omitted, nulled] = [omittedFields(target), nulledFields(target)]
  const known = new Map<string, FieldTest>()
  const fieldOf = (name: string): FieldTest | undefined => {
    const node = properties.get(name)
    if (!node || node['x-homeostat-disabled']) return undefined
    const isValue = testsIn(definitions)(node)
    const field = { isValue, omitted: omitted.has(name), nulled: nulled.has(name) }
    known.set(name, field)
    return field
  }
  return (value, unset) => {
    if (!isObject(value)) return false
    let missing = nulled.size
    for (const name of Object.keys(value)) {
      const field = known.get(name) ?? fieldOf(name)
      const part = value[name]
      if (!field || part === undefined) return false
      if (field.nulled) missing--
      if (part === null) {
        if (!field.nulled) return false
      } else if ((field.omitted && isEmpty(part)) || !field.isValue(part, unset)) return false
    }
    if (missing > 0) for (const name of nulled) if (!Object.hasOwn(value, name)) unset.push([value, name])
    return true
  }
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return value === '' || value === 0 || value === false
}
