import { definitions } from '../../packages/apiserver/src/schema/generated/native-resources.ts'
import type { SchemaNode } from '../../packages/apiserver/src/schema/types/type-schema.ts'
import {
  anyValue,
  hostileBytes,
  hostileInteger,
  hostileKey,
  hostileQuantity,
  hostileText,
  hostileTime,
  PROTOTYPE_NAMES,
} from './hostile-values.ts'
import {
  again,
  copyTree,
  getAt,
  isTreeObject,
  removeAt,
  setAt,
  setKey,
  type Path,
  type Tree,
  type TreeObject,
} from './json-tree.ts'
import type { Random } from './random.ts'
import type { FuzzedKind } from './seeds.ts'

/** A value in an object, with what the schema says of it. */
export interface Place {
  readonly path: Path
  readonly node: SchemaNode
}

const META: SchemaNode = { $ref: '#/x/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }

function resolved(node: SchemaNode): SchemaNode {
  return node.$ref === undefined ? node : (definitions[refName(node)] ?? {})
}

function refName(node: SchemaNode): string {
  return node.$ref?.slice(node.$ref.lastIndexOf('/') + 1) ?? ''
}

/** The schema of a field. Metadata of a custom kind are those of every object. */
function fieldNode(node: SchemaNode, key: string, root: boolean): SchemaNode {
  const { properties, additionalProperties } = resolved(node)
  if (properties && Object.hasOwn(properties, key) && !(root && key === 'metadata')) return properties[key]!
  if (root && key === 'metadata') return META
  return typeof additionalProperties === 'object' ? additionalProperties : {}
}

/** Every value in an object, the object itself aside. */
export function placesIn(kind: FuzzedKind, tree: Tree): Place[] {
  const places: Place[] = []
  const walk = (node: SchemaNode, value: unknown, path: Path): void => {
    if (path.length > 0) places.push({ path, node })
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) walk(resolved(node).items ?? {}, item, [...path, index])
    } else if (isTreeObject(value)) {
      for (const key of Object.keys(value)) {
        walk(fieldNode(node, key, path.length === 0), value[key], [...path, key])
      }
    }
  }
  walk(kind.schema, tree, [])
  return places
}

/** Changes an object in place, in one way that chance chooses. */
export function mutate(random: Random, kind: FuzzedKind, tree: TreeObject): void {
  const places = placesIn(kind, tree)
  if (places.length === 0) return
  const place = random.pick(places)
  const { path, node } = place
  random.weighted<() => void>([
    [8, () => setAt(tree, path, hostile(random, kind, place))],
    [6, () => addField(random, kind, tree, places)],
    [2, () => removeAt(tree, path)],
    [1, () => setAt(tree, path, null)],
    [2, () => setAt(tree, path, anyValue(random))],
    [1, () => addUnknown(random, tree, places)],
    [0.5, () => repeatKey(random, tree, place)],
    [1, () => repeatItem(random, kind, tree, places)],
    [1, () => addMetadata(random, kind, tree)],
    [2, () => setAt(tree, path, generate(random, kind, node, String(path.at(-1)), 2))],
  ])()
}

/** A value of the type that the schema names, often at its bounds. */
function hostile(random: Random, kind: FuzzedKind, { node, path }: Place): Tree {
  const name = path.findLast((key) => typeof key === 'string') ?? ''
  // How it ends is chance, which only a simple beginning lets see.
  if (name === 'generateName') return random.pick(['gen-', 'a', 'A', 'a.b-', ''])
  const known = kind.vocabulary.get(name)
  if (known && random.chance(0.35)) return copyTree(random.pick(known))
  const target = resolved(node)
  const ref = refName(node)
  if (ref.endsWith('.Quantity')) return hostileQuantity(random)
  if (ref.endsWith('Time')) return hostileTime(random)
  if (target['x-kubernetes-int-or-string'] || ref.endsWith('.IntOrString')) {
    return random.chance(0.5) ? hostileInteger(random) : hostileText(random)
  }
  switch (target.type) {
    case 'integer':
    case 'number':
      return hostileInteger(random)
    case 'boolean':
      return random.chance(0.5)
    case 'string':
      if (target.format === 'byte') return hostileBytes(random)
      if (target.enum && random.chance(0.6)) return random.pick(target.enum)
      return hostileText(random)
    case 'object':
    case 'array':
      return generate(random, kind, node, String(path.at(-1)), 2)
    default:
      return anyValue(random)
  }
}

/** A value that the schema allows, as far as types go. */
export function generate(
  random: Random,
  kind: FuzzedKind,
  node: SchemaNode,
  name: string,
  depth: number,
): Tree {
  const target = resolved(node)
  const known = kind.vocabulary.get(name)
  if (known && random.chance(0.4)) return copyTree(random.pick(known))
  if (refName(node) !== '' && target.type !== 'object' && target.type !== 'array')
    return hostile(random, kind, { node, path: [name] })
  if (target.type === 'array') {
    const count = random.weighted([
      [1, 0],
      [5, 1],
      [3, 2],
    ] as const)
    return Array.from({ length: count }, () => generate(random, kind, target.items ?? {}, name, depth - 1))
  }
  if (target.type !== 'object') {
    return target.type === undefined ? anyValue(random) : hostile(random, kind, { node, path: [name] })
  }
  const object: TreeObject = {}
  if (typeof target.additionalProperties === 'object') {
    const count = random.weighted([
      [1, 0],
      [5, 1],
      [3, 2],
    ] as const)
    for (let index = 0; index < count; index++) {
      const key = random.chance(0.5) ? hostileKey(random) : `key-${index}`
      setKey(object, key, generate(random, kind, target.additionalProperties, key, depth - 1))
    }
    return object
  }
  for (const [key, property] of Object.entries(target.properties ?? {})) {
    const needed = target.required?.includes(key) ?? false
    if (needed ? random.chance(0.92) : depth > 0 && random.chance(0.15)) {
      setKey(object, key, generate(random, kind, property, key, depth - 1))
    }
  }
  return object
}

/** Adds a field that the schema knows and the object does not have. */
function addField(random: Random, kind: FuzzedKind, tree: TreeObject, places: readonly Place[]): void {
  const structs = [{ path: [] as Path, node: kind.schema }, ...places].filter(
    ({ path, node }) =>
      isTreeObject(getAt(tree, path)) && Object.keys(resolved(node).properties ?? {}).length > 0,
  )
  const { path, node } = random.pick(structs)
  const object = path.length === 0 ? tree : (getAt(tree, path) as TreeObject)
  const absent = Object.keys(resolved(node).properties ?? {}).filter((key) => !Object.hasOwn(object, key))
  if (absent.length === 0) return
  const key = random.pick(absent)
  setKey(object, key, generate(random, kind, fieldNode(node, key, path.length === 0), key, 2))
}

function addUnknown(random: Random, tree: TreeObject, places: readonly Place[]): void {
  const objects = [[] as Path, ...places.map(({ path }) => path)].filter((path) =>
    isTreeObject(getAt(tree, path)),
  )
  const object = getAt(tree, random.pick(objects)) as TreeObject
  setKey(object, random.chance(0.5) ? random.pick(PROTOTYPE_NAMES) : hostileKey(random), anyValue(random))
}

function repeatKey(random: Random, tree: TreeObject, { path, node }: Place): void {
  const parent = getAt(tree, path.slice(0, -1))
  const key = path.at(-1)
  if (!isTreeObject(parent) || typeof key !== 'string') return
  const value = getAt(tree, path)
  // Go merges what stands twice in ways of its own, unless it is a single value or the same.
  const same = typeof value === 'object' || random.chance(0.5)
  setKey(parent, again(key), same ? copyTree(value) : node.type === 'string' ? 'again' : value)
}

function repeatItem(random: Random, kind: FuzzedKind, tree: TreeObject, places: readonly Place[]): void {
  const lists = places.filter(({ path }) => Array.isArray(getAt(tree, path)))
  if (lists.length === 0) return
  const { path, node } = random.pick(lists)
  const list = getAt(tree, path) as unknown[]
  if (list.length > 0 && random.chance(0.6)) list.push(copyTree(random.pick(list)))
  else list.push(generate(random, kind, resolved(node).items ?? {}, String(path.at(-1)), 2))
}

/** Labels, annotations, finalizers and owners: the parts of metadata that every kind checks. */
function addMetadata(random: Random, kind: FuzzedKind, tree: TreeObject): void {
  const metadata = getAt(tree, ['metadata'])
  if (!isTreeObject(metadata)) return
  const { properties = {} } = resolved(META)
  const key = random.pick(Object.keys(properties))
  if (key === 'labels' || key === 'annotations') {
    setKey(metadata, key, { [random.chance(0.6) ? hostileKey(random) : 'a']: hostileText(random) })
  } else setKey(metadata, key, generate(random, kind, properties[key]!, key, 2))
}
