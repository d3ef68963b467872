import {
  type FieldError,
  isObject,
  type JsonObject,
  listOf,
  objectOf,
  requiredValue,
} from '../schema/index.ts'
import { addAll } from '../work/index.ts'

/**
 * Validates that a schema itself declares everything that its alternatives restrict: a property in `anyOf` is also one of the
 * schema. As in Kubernetes, only the alternatives at the root are checked.
 */
export function completenessErrors(schema: JsonObject, field: string): FieldError[] {
  return alternativeErrors(schema, schema, field, field)
}

/** The alternatives of `node` at `at`, which are about `schema` at `field`. */
function alternativeErrors(node: JsonObject, schema: JsonObject, field: string, at: string): FieldError[] {
  const errors = isObject(node['not']) ? nestedErrors(node['not'], schema, field, `${at}.not`) : []
  for (const name of ['allOf', 'anyOf', 'oneOf']) {
    for (const [index, one] of listOf(node[name]).entries()) {
      addAll(errors, nestedErrors(objectOf(one), schema, field, `${at}.${name}[${index}]`))
    }
  }
  return errors
}

function nestedErrors(node: JsonObject, schema: unknown, field: string, at: string): FieldError[] {
  if (!isObject(schema)) return [requiredValue(field, `because it is defined in ${at}`)]
  const errors = alternativeErrors(node, schema, field, at)
  if (isObject(node['items'])) {
    addAll(errors, nestedErrors(node['items'], schema['items'], `${field}.items`, `${at}.items`))
  }
  const known = objectOf(schema['properties'])
  for (const [name, property] of Object.entries(objectOf(node['properties']))) {
    const step = `properties[${name}]`
    const counterpart = Object.hasOwn(known, name) ? objectOf(known[name]) : undefined
    addAll(errors, nestedErrors(objectOf(property), counterpart, `${field}.${step}`, `${at}.${step}`))
  }
  return errors
}
