import { isExactNumber, numberText } from '@homeostat/api'
import { mentionsEmbedded } from './embedded-resource.ts'
import { invalidValue } from './field-error.ts'
import { MICRO_TIME_LAYOUT, TIME_LAYOUT, timeProblem } from './go-time.ts'
import { isObject } from './json.ts'
import { quantityProblem } from './quantity.ts'
import type { SchemaNode, TypeSchema } from './type-schema.ts'
import { additionalOf, definitionName, isNative, OBJECT_META, propertiesOf, resolve } from './type-view.ts'

/**
 * Why an object cannot be read, in the words of a Kubernetes API server, or `undefined` where it can: a value is of
 * another type than its field. The caller says of which object: `Deployment in version "v1" cannot be handled as a
 * Deployment: …`. Of a custom resource this concerns the metadata, and that of resources inside it; what its schema says
 * of types is `validate`'s.
 */
export function decodeProblem(schema: TypeSchema, value: unknown, kind: string): string | undefined {
  if (isNative(schema)) return check(schema, schema.root, value, { struct: kind, path: '' })
  if (!isObject(value)) return undefined
  return metadataProblem(schema, value['metadata']) ?? embeddedProblem(schema, schema.root, value, '')
}

function metadataProblem(schema: TypeSchema, metadata: unknown): string | undefined {
  if (metadata === undefined || metadata === null || isObject(metadata)) {
    return check(schema, OBJECT_META, metadata, { struct: 'ObjectMeta', path: '' })
  }
  return `json: cannot unmarshal ${jsonKind(metadata)} into Go value of type v1.ObjectMeta`
}

function embeddedProblem(
  schema: TypeSchema,
  node: SchemaNode,
  value: unknown,
  path: string,
): string | undefined {
  if (!mentionsEmbedded(node)) return undefined
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const problem = node.items && embeddedProblem(schema, node.items, item, `${path}[${index}]`)
      if (problem) return problem
    }
  } else if (isObject(value)) {
    if (node['x-kubernetes-embedded-resource']) {
      const problem = metadataProblem(schema, value['metadata'])
      if (problem) return `${path}.metadata: ${invalidValue('', value['metadata'], problem).message}`
    }
    for (const key of Object.keys(value)) {
      const property = propertiesOf(node).get(key)
      const child = property ?? additionalOf(node)
      const at = property ? (path === '' ? key : `${path}.${key}`) : `${path}[${key}]`
      const problem = child && embeddedProblem(schema, child, value[key], at)
      if (problem) return problem
    }
  }
  return undefined
}

/** Where a value stands: the type that has the field, and the path of names to it. */
interface Place {
  readonly struct: string
  readonly path: string
}

function check(schema: TypeSchema, node: SchemaNode, value: unknown, place: Place): string | undefined {
  if (value === null || value === undefined) return undefined
  const name = definitionName(node)
  const type = SPECIAL[name.slice(name.lastIndexOf('.') + 1)]
  if (name !== '' && type) return type(value, place)
  const target = resolve(schema, node)
  if (target['x-kubernetes-int-or-string']) return intOrString(value, place)
  switch (target.type) {
    case 'object':
      return checkObject(schema, node, target, value, place)
    case 'array':
      return checkList(schema, target, value, place)
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

function checkObject(
  schema: TypeSchema,
  node: SchemaNode,
  target: SchemaNode,
  value: unknown,
  place: Place,
): string | undefined {
  if (!isObject(value)) return mismatch(value, place, goType(node))
  const additional = additionalOf(target)
  const properties = propertiesOf(target)
  const struct = node.$ref ? shortName(node) : place.struct
  for (const key of Object.keys(value)) {
    const property = properties.get(key)
    if (property) {
      const path = place.path === '' ? key : `${place.path}.${key}`
      const problem = check(schema, property, value[key], { struct, path })
      if (problem) return problem
    } else if (additional) {
      const problem = check(schema, additional, value[key], place)
      if (problem) return problem
    }
  }
  return undefined
}

function checkList(schema: TypeSchema, target: SchemaNode, value: unknown, place: Place): string | undefined {
  if (!Array.isArray(value)) return mismatch(value, place, goType(target))
  for (const item of value as readonly unknown[]) {
    const problem = target.items && check(schema, target.items, item, place)
    if (problem) return problem
  }
  return undefined
}

function checkText(target: SchemaNode, value: unknown, place: Place): string | undefined {
  const bytes = target.format === 'byte'
  if (typeof value !== 'string') return mismatch(value, place, bytes ? '[]uint8' : 'string')
  if (!bytes) return undefined
  const clean = value.replace(/[\r\n]/g, '')
  const wrong = /^[A-Za-z0-9+/]*={0,2}/.exec(clean)![0].length
  if (wrong < clean.length) return `illegal base64 data at input byte ${wrong}`
  return clean.length % 4 === 0
    ? undefined
    : `illegal base64 data at input byte ${clean.length - (clean.length % 4)}`
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

function isInt64(text: string): boolean {
  return /^-?\d+$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

function intOrString(value: unknown, place: Place): string | undefined {
  if (typeof value === 'string' || (typeof value === 'number' && value === (value | 0))) return undefined
  const text = numberText(value)
  return mismatch(value, place, 'int32', text === undefined ? '' : ` ${text}`)
}

const SPECIAL: Readonly<Record<string, (value: unknown, place: Place) => string | undefined>> = {
  Quantity: (value) => quantityProblem(value),
  // Any JSON; the kind that holds it says what it must be.
  RawExtension: () => undefined,
  FieldsV1: () => undefined,
  Time: (value, place) => checkTime(value, place, TIME_LAYOUT),
  MicroTime: (value, place) => checkTime(value, place, MICRO_TIME_LAYOUT),
}

function checkTime(value: unknown, place: Place, layout: string): string | undefined {
  if (typeof value !== 'string') return mismatch(value, place, 'string')
  return timeProblem(value, layout)
}

function mismatch(value: unknown, place: Place, type: string, detail = ''): string {
  return `json: cannot unmarshal ${jsonKind(value)}${detail} into Go struct field ${place.struct}.${place.path} of type ${type}`
}

/** What Go calls a JSON value. */
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
