import { parseJson } from '@homeostat/api'
import type { Check, Checked } from '../registry/background.ts'
import { nativeCatalogue } from '../registry/native-catalogue.ts'
import type { Resource } from '../registry/resource.ts'
import type { ServerObject } from '../registry/server-object.ts'
import { createProblems, updateProblems } from '../registry/shape.ts'
import { listed } from '../schema/error-list.ts'
import type { SchemaNode, TypeSchema } from '../schema/type-schema.ts'

/** Makes a check that came as text. */
export function makeCheck(check: Check): Checked {
  const object = parseJson(check.object) as ServerObject
  const resource = resourceOf(check)
  const warnings: string[] = []
  const problems =
    check.old === undefined
      ? createProblems(object, resource, check.names)
      : updateProblems(
          object,
          parseJson(check.old) as ServerObject,
          resource,
          check.names,
          check.subresource,
          (message) => warnings.push(message),
        )
  return { problems: [...listed(problems)], warnings: warnings.slice(0, MOST_WARNINGS) }
}

/** More than a header holds. */
const MOST_WARNINGS = 1_000

const native = new Map(nativeCatalogue().map((resource) => [keyOf(resource), resource]))
/** The last schemas, so that what is made of a schema is made once for many objects. */
const schemas = new Map<string, TypeSchema>()
const KEPT = 8

function resourceOf({ resource, schema }: Check): Resource {
  const known = native.get(keyOf(resource))
  if (schema === undefined && known) return known
  return { ...(resource as Resource), schema: schemaOf(schema ?? '{}') }
}

function schemaOf(text: string): TypeSchema {
  let schema = schemas.get(text)
  if (!schema) {
    if (schemas.size >= KEPT) schemas.clear()
    schemas.set(text, (schema = { root: parseJson(text) as SchemaNode, definitions: {} }))
  }
  return schema
}

function keyOf({ group, version, plural }: Pick<Resource, 'group' | 'version' | 'plural'>): string {
  return `${group}/${version}/${plural}`
}
