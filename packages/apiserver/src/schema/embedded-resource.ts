import { oncePerObject } from '@homeostat/api'
import { invalidValue, requiredValue, type FieldError } from './errors/field-error.ts'
import { isObject, objectOf, type JsonObject } from './values/json.ts'
import { kindNameProblem } from './values/name-syntax.ts'
import { validateObjectMeta } from './object-meta-validation.ts'
import type { SchemaNode } from './types/type-schema.ts'
import { additionalOf, propertiesOf } from './type-view.ts'
import { addAll } from '../work/index.ts'

/** Validates the type and metadata of embedded resources, which a schema marks. */
export function embeddedErrors(node: SchemaNode, value: unknown, path: string): FieldError[] {
  const errors: FieldError[] = []
  walk(node, value, path, errors)
  return errors
}

function walk(node: SchemaNode, value: unknown, path: string, errors: FieldError[]): void {
  if (!mentionsEmbedded(node)) return
  if (Array.isArray(value)) {
    if (!node.items) return
    for (let index = 0; index < value.length; index++)
      walk(node.items, value[index], `${path}[${index}]`, errors)
  } else if (isObject(value)) {
    if (node['x-kubernetes-embedded-resource']) addAll(errors, resourceErrors(value, path))
    const properties = propertiesOf(node)
    const additional = additionalOf(node)
    for (const key of Object.keys(value)) {
      const property = properties.get(key)
      if (property) walk(property, value[key], path === '' ? key : `${path}.${key}`, errors)
      else if (additional) walk(additional, value[key], `${path}[${key}]`, errors)
    }
  }
}

/** Validates the type and metadata of one such resource. */
function resourceErrors(resource: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = []
  for (const name of ['apiVersion', 'kind']) {
    const value = resource[name]
    const field = path === '' ? name : `${path}.${name}`
    if (value === undefined) errors.push(requiredValue(field))
    else if (typeof value !== 'string') errors.push(invalidValue(field, value, 'must be a string'))
    else if (value === '') errors.push(invalidValue(field, value, 'must not be empty'))
    else addAll(errors, typeErrors(name, value, field))
  }
  const { metadata } = resource
  if (metadata === undefined) return errors
  const meta = objectOf(metadata)
  const named = { ...meta, name: meta['name'] || 'fakename' }
  const namespaced = Boolean(meta['namespace'])
  return [
    ...errors,
    ...validateObjectMeta(named, {
      namespaced,
      names: 'segment',
      field: path === '' ? 'metadata' : `${path}.metadata`,
    }),
  ]
}

function typeErrors(name: string, value: string, field: string): FieldError[] {
  if (name === 'apiVersion') {
    if (value.split('/').length <= 2) return []
    return [invalidValue(field, value, `unexpected GroupVersion string: ${value}`)]
  }
  const problem = kindNameProblem(value)
  return problem === undefined ? [] : [invalidValue(field, value, problem)]
}

/** Whether there is an embedded resource at or below the node: most schemas have none. */
export const mentionsEmbedded: (node: SchemaNode) => boolean = oncePerObject((node) => {
  const additional = additionalOf(node)
  return (
    node['x-kubernetes-embedded-resource'] === true ||
    (node.items !== undefined && mentionsEmbedded(node.items)) ||
    (additional !== undefined && mentionsEmbedded(additional)) ||
    propertiesOf(node).values().some(mentionsEmbedded)
  )
})
