import { definitions } from '../../packages/apiserver/src/schema/generated/native-resources.ts'
import type { SchemaNode } from '../../packages/apiserver/src/schema/types/type-schema.ts'
import { copyTree, isTreeObject, setKey, type Path, type Tree, type TreeObject } from './json-tree.ts'
import { nativeKinds, type FuzzedKind } from './seeds.ts'

/** A field of a native type: its path in an object of a kind, and what the schema says of it. */
export interface NativeField {
  readonly path: Path
  /** The schema, or the definition that it refers to. */
  readonly schema: SchemaNode
  /** The name of the definition; undefined where it refers to none. */
  readonly definition: string | undefined
}

/** The kinds in which {@link fieldsOf} finds fields first: what Pods have in common with templates is looked at in Pods. */
export function kindsWithPodsFirst(): FuzzedKind[] {
  return nativeKinds().toSorted((a, b) => Number(b.name === 'v1 Pod') - Number(a.name === 'v1 Pod'))
}

/**
 * The fields of types that were not seen yet: each type is walked where it is met first. An item of a list is `0`, a
 * value of a map `a`.
 */
export function fieldsOf(kind: FuzzedKind, seen: Set<string>): NativeField[] {
  const found: NativeField[] = []
  const walk = (node: SchemaNode, path: Path): void => {
    const definition = node.$ref?.slice(node.$ref.lastIndexOf('/') + 1)
    if (definition !== undefined) {
      if (seen.has(definition)) return
      seen.add(definition)
    }
    const schema = definition === undefined ? node : (definitions[definition] ?? {})
    found.push({ path, schema, definition })
    // Every field of these types counts, not only the first.
    if (/\.(?:IntOrString|Quantity)$/.test(definition ?? '')) seen.delete(definition!)
    if (schema.items) walk(schema.items, [...path, 0])
    if (typeof schema.additionalProperties === 'object') walk(schema.additionalProperties, [...path, 'a'])
    for (const [key, property] of Object.entries(schema.properties ?? {})) walk(property, [...path, key])
  }
  walk(kind.schema, [])
  return found
}

/** The plainest object of a kind, with a value at a path. What is missing on the way is made. */
export function withValueAt(kind: FuzzedKind, path: Path, value: Tree): TreeObject {
  const object = copyTree(kind.seeds[0] ?? {})
  let parent: unknown = object
  for (const [index, key] of path.entries()) {
    const last = index === path.length - 1
    const next = last ? value : typeof path[index + 1] === 'number' ? [] : {}
    if (Array.isArray(parent)) {
      if (last || parent[0] === undefined) parent[0] = next
      parent = parent[0]
    } else if (isTreeObject(parent)) {
      const known = Object.hasOwn(parent, String(key)) ? parent[String(key)] : undefined
      if (last || known === undefined || typeof known !== 'object') setKey(parent, String(key), next)
      parent = Object.hasOwn(parent, String(key)) ? parent[String(key)] : undefined
    }
  }
  return object
}
