import { oncePerObject } from '@homeostat/api'
import {
  additionalOf,
  duplicateValue,
  type FieldError,
  getKey,
  invalidValue,
  isObject,
  jsonText,
  propertiesOf,
  type SchemaNode,
  setKey,
} from '../schema/index.ts'

/** The duplicates in lists that are sets, and in lists that are maps by their keys. */
export function listTypeErrors(node: SchemaNode, value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = []
  walk(node, value, path, errors)
  return errors
}

function walk(node: SchemaNode, value: unknown, path: string, errors: FieldError[]): void {
  if (!mentionsListTypes(node)) return
  if (Array.isArray(value)) {
    const type = node['x-kubernetes-list-type']
    if (type === 'set') {
      for (const index of repeated(value)) errors.push(duplicateValue(`${path}[${index}]`, value[index]))
    } else if (type === 'map') {
      for (const error of mapErrors(node['x-kubernetes-list-map-keys'] ?? [], value, path)) errors.push(error)
    }
    if (node.items) {
      for (let index = 0; index < value.length; index++)
        walk(node.items, value[index], `${path}[${index}]`, errors)
    }
  } else if (isObject(value)) {
    const additional = additionalOf(node)
    const properties = propertiesOf(node)
    for (const key of Object.keys(value)) {
      const property = properties.get(key)
      if (property) walk(property, value[key], path === '' ? key : `${path}.${key}`, errors)
      else if (additional) walk(additional, value[key], `${path}[${key}]`, errors)
    }
  }
}

function mapErrors(keys: readonly string[], list: readonly unknown[], path: string): FieldError[] {
  const stray = list.findIndex((item) => item !== null && !isObject(item))
  if (stray >= 0) {
    return [invalidValue(`${path}[${stray}]`, list[stray], 'must be an object for an array of list-type map')]
  }
  if (keys.length === 1 && areDistinct(keys[0] ?? '', list)) return []
  const identities = list.map((item) => {
    const identity: Record<string, unknown> = {}
    for (const key of keys) {
      const value = isObject(item) ? getKey(item, key) : undefined
      if (value !== undefined) setKey(identity, key, value)
    }
    return identity
  })
  return repeated(identities).map((index) => duplicateValue(`${path}[${index}]`, identities[index]))
}

/** Whether the key of every item is text and no two are equal, as in nearly every list. */
function areDistinct(key: string, list: readonly unknown[]): boolean {
  const seen = new Set<string>()
  for (const item of list) {
    const value = isObject(item) ? getKey(item, key) : undefined
    if (typeof value !== 'string') return false
    seen.add(value)
  }
  return seen.size === list.length
}

/** The indexes of first duplicates; a third occurrence is not reported again. */
function repeated(list: readonly unknown[]): number[] {
  const times = new Map<string, number>()
  const places: number[] = []
  for (const [index, item] of list.entries()) {
    const text = jsonText(item)
    const count = (times.get(text) ?? 0) + 1
    times.set(text, count)
    if (count === 2) places.push(index)
  }
  return places
}

/** Whether there is a list of type set or map at or below the node: most schemas have none. */
const mentionsListTypes: (node: SchemaNode) => boolean = oncePerObject((node) => {
  const type = node['x-kubernetes-list-type']
  const additional = additionalOf(node)
  return (
    type === 'set' ||
    type === 'map' ||
    (node.items !== undefined && mentionsListTypes(node.items)) ||
    (additional !== undefined && mentionsListTypes(additional)) ||
    propertiesOf(node).values().some(mentionsListTypes)
  )
})
