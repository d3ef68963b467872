import type { Resource } from '../../registry/index.ts'
import { componentName, listSchema, objectSchema } from './custom-schema.ts'
import { pathsOf } from './custom-paths.ts'
import type { Component, DocumentParts, SharedParts } from './native-documents.ts'

/**
 * The document of the custom kinds of one group and version: their schemas, all schemas that these refer to, and
 * their paths.
 */
export function customDocument(resources: readonly Resource[], shared: SharedParts): DocumentParts {
  const schemas = new Map<string, Component>()
  for (const resource of resources) {
    schemas.set(componentName(resource), objectSchema(resource, shared))
    schemas.set(componentName(resource, resource.listKind), listSchema(resource, shared))
  }
  const paths: Record<string, unknown> = {}
  for (const resource of resources) Object.assign(paths, pathsOf(resource, shared))
  collect(JSON.stringify([Object.fromEntries(schemas), paths]), shared, schemas)
  return { paths: inOrder(Object.entries(paths)), schemas: inOrder([...schemas]) }
}

/** Adds the schemas that a text refers to, and those that they refer to. */
function collect(text: string, shared: SharedParts, found: Map<string, Component>): void {
  for (const [, name = ''] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) {
    const schema = shared.schemas[name]
    if (!schema || found.has(name)) continue
    found.set(name, schema)
    collect(JSON.stringify(schema), shared, found)
  }
}

function inOrder<T>(entries: readonly (readonly [string, T])[]): Record<string, T> {
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
