import { definitions } from '../../packages/apiserver/src/schema/generated/native-resources.ts'
import type { SchemaNode } from '../../packages/apiserver/src/schema/type-schema.ts'
import type { FuzzCase } from './fuzz-case.ts'
import { copyTree, isTreeObject, number, setKey, type Path, type TreeObject } from './json-tree.ts'
import { nativeKinds, type FuzzedKind } from './seeds.ts'

/** At and beyond the bounds of 32, 53 and 64 bits. */
const BOUNDS = [
  '-1',
  '2147483647',
  '2147483648',
  '9007199254740993',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
] as const

/** One case for each integer field of each native type and each bound: a create that leaves nothing. */
export function integerCases(): FuzzCase[] {
  const seen = new Set<string>()
  // What Pods have in common with templates is looked at in Pods.
  const kinds = nativeKinds().toSorted((a, b) => Number(b.name === 'v1 Pod') - Number(a.name === 'v1 Pod'))
  return kinds.flatMap((kind) =>
    integerPaths(kind, seen).flatMap((path) =>
      BOUNDS.map((bound) => ({
        kind: kind.name,
        verb: `${path.join('.')} ${bound}`,
        requests: [
          { method: 'POST' as const, path: `${kind.path}?dryRun=All`, body: withValue(kind, path, bound) },
        ],
      })),
    ),
  )
}

/** The paths to integer fields of types that were not seen yet. An item of a list is `0`, a value of a map `a`. */
function integerPaths(kind: FuzzedKind, seen: Set<string>): Path[] {
  const found: Path[] = []
  const walk = (node: SchemaNode, path: Path): void => {
    const name = node.$ref?.slice(node.$ref.lastIndexOf('/') + 1)
    if (name !== undefined) {
      if (seen.has(name)) return
      seen.add(name)
    }
    const target = name === undefined ? node : (definitions[name] ?? {})
    if (target.type === 'integer' || name?.endsWith('.IntOrString')) found.push(path)
    if (name?.endsWith('.IntOrString') || name?.endsWith('.Quantity')) seen.delete(name)
    if (target.items) walk(target.items, [...path, 0])
    if (typeof target.additionalProperties === 'object') walk(target.additionalProperties, [...path, 'a'])
    for (const [key, property] of Object.entries(target.properties ?? {})) walk(property, [...path, key])
  }
  walk(kind.schema, [])
  return found
}

function withValue(kind: FuzzedKind, path: Path, bound: string): TreeObject {
  const object = copyTree(kind.seeds[0] ?? {})
  let parent: unknown = object
  for (const [index, key] of path.entries()) {
    const last = index === path.length - 1
    const next = last ? number(bound) : typeof path[index + 1] === 'number' ? [] : {}
    if (Array.isArray(parent)) {
      if (last || parent[0] === undefined) parent[0] = next
      parent = parent[0]
    } else if (isTreeObject(parent)) {
      const known = Object.hasOwn(parent, String(key)) ? parent[String(key)] : undefined
      if (last || known === undefined || typeof known !== 'object') setKey(parent, String(key), next)
      parent = parent[String(key)]
    }
  }
  return object
}
