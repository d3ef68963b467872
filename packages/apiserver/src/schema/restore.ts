import { base64Problem, isExactNumber } from '@homeostat/api'
import { elementType, goNameOf } from './go-names.ts'
import { MICRO_TIME_LAYOUT, TIME_LAYOUT, timeProblem } from './values/go-time.ts'
import { isInt64, jsonKind } from './decode.ts'
import { isObject } from './values/json.ts'
import { quantityProblem } from './values/quantity.ts'
import type { SchemaNode, TypeSchema } from './types/type-schema.ts'
import { additionalOf, definitionName, propertiesOf, resolve } from './type-view.ts'

/**
 * Why the result of a strategic merge cannot be decoded, as a Kubernetes API server's message; undefined where it
 * can. Kubernetes decodes the merged maps instead of JSON there, and has other messages for a value of the wrong
 * type: `cannot restore map from string`.
 */
export function restoreProblem(schema: TypeSchema, value: unknown): string | undefined {
  return check(schema, schema.root, value, () => '')
}

/** `named` gives the named Go type of the value; empty where it has none. */
function check(
  schema: TypeSchema,
  node: SchemaNode,
  value: unknown,
  named: () => string,
): string | undefined {
  if (value === null || value === undefined) return undefined
  const name = definitionName(node)
  const special = name === '' ? undefined : SPECIAL.get(name.slice(name.lastIndexOf('.') + 1))
  if (special) return special(value)
  const target = resolve(schema, node)
  if (target['x-kubernetes-int-or-string']) return intOrString(value)
  switch (target.type) {
    case 'object':
      return checkObject(schema, node, target, value, named)
    case 'array':
      return checkList(schema, target, value, named)
    case 'string':
      return target.format === 'byte' ? checkBytes(value) : checkText(value, named)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'unrecognized type: bool'
    case 'integer':
      return checkInteger(value, target.format === 'int32' ? 'int32' : 'int64')
    case 'number':
      return typeof value === 'number' || isExactNumber(value) ? undefined : 'unrecognized type: float64'
    default:
      return undefined
  }
}

function checkObject(
  schema: TypeSchema,
  node: SchemaNode,
  target: SchemaNode,
  value: unknown,
  named: () => string,
): string | undefined {
  const additional = additionalOf(target)
  if (!isObject(value)) {
    return additional
      ? `cannot restore map from ${goKind(value)}`
      : `cannot restore struct from: ${goKind(value)}`
  }
  const properties = propertiesOf(target)
  for (const key of Object.keys(value)) {
    const property = properties.get(key)
    const field = property ?? additional
    const type = (): string => (property ? goNameOf(definitionName(node), key).type : elementType(named()))
    const problem = field && check(schema, field, value[key], type)
    if (problem) return problem
  }
  return undefined
}

function checkList(
  schema: TypeSchema,
  target: SchemaNode,
  value: unknown,
  named: () => string,
): string | undefined {
  if (!Array.isArray(value)) return `cannot restore slice from ${goKind(value)}`
  const items: readonly unknown[] = value
  for (const item of items) {
    const problem = target.items && check(schema, target.items, item, () => elementType(named()))
    if (problem) return problem
  }
  return undefined
}

function checkBytes(value: unknown): string | undefined {
  if (Array.isArray(value)) return checkList({ root: {}, definitions: {} }, BYTES, value, () => '')
  if (typeof value !== 'string') return `cannot restore slice from ${goKind(value)}`
  const problem = base64Problem(value)
  return problem && `error decoding from json: ${problem}`
}

const BYTES: SchemaNode = { type: 'array', items: { type: 'integer' } }

/** Go would convert a whole number to a text with that character; Kubernetes refuses it with its own message. */
function checkText(value: unknown, named: () => string): string | undefined {
  if (typeof value === 'string') return undefined
  if (goKind(value) !== 'int64') return 'unrecognized type: string'
  return `cannot convert int64 to ${named() || 'string'}`
}

function checkInteger(value: unknown, type: 'int32' | 'int64'): string | undefined {
  const kind = goKind(value)
  // A whole number beyond 64 bits is read, and refused as one that its field cannot hold.
  if (kind === 'float64') return isWhole(value) ? undefined : `cannot convert float64 to ${type}`
  return kind === 'int64' ? undefined : `unrecognized type: ${type}`
}

const SPECIAL: ReadonlyMap<string, (value: unknown) => string | undefined> = new Map([
  ['Quantity', quantityProblem],
  ['RawExtension', () => undefined],
  ['FieldsV1', () => undefined],
  ['Time', (value) => checkTime(value, TIME_LAYOUT)],
  ['MicroTime', (value) => checkTime(value, MICRO_TIME_LAYOUT)],
])

function checkTime(value: unknown, layout: string): string | undefined {
  return typeof value === 'string' ? timeProblem(value, layout) : unmarshalProblem(value, 'string')
}

function intOrString(value: unknown): string | undefined {
  if (typeof value === 'string' || (typeof value === 'number' && value === (value | 0))) return undefined
  const number = typeof value === 'number' || isExactNumber(value)
  return unmarshalProblem(value, 'int32', number ? ` ${JSON.stringify(value)}` : '')
}

function unmarshalProblem(value: unknown, type: string, detail = ''): string {
  return `json: cannot unmarshal ${jsonKind(value)}${detail} into Go value of type ${type}`
}

function isWhole(value: unknown): boolean {
  return isExactNumber(value) ? /^-?\d+$/.test(value.rawJSON) : Number.isInteger(value)
}

/** Go's name for the kind of a decoded JSON value. */
function goKind(value: unknown): 'bool' | 'string' | 'int64' | 'float64' | 'slice' | 'map' {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  if (isExactNumber(value)) return isInt64(value.rawJSON) ? 'int64' : 'float64'
  if (typeof value === 'number')
    return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64'
  return Array.isArray(value) ? 'slice' : 'map'
}
