import { oncePerObject } from '@homeostat/api'
import {
  additionalOf,
  definitionName,
  isNative,
  OBJECT_META,
  propertiesOf,
  resolve,
  RESOURCE_FIELDS,
  type SchemaNode,
  type TypeSchema,
} from '../schema/index.ts'

/**
 * How a value is merged and owned. Where the schema leaves it open, a type allows several shapes, and the value
 * decides.
 */
export interface FieldType {
  readonly scalar: ScalarType | undefined
  readonly list: ListType | undefined
  readonly map: MapType | undefined
}

/** The type of a scalar; `untyped` for any. */
export type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped'

/** A list: atomic, a set, or a map by keys. */
export interface ListType {
  /** Whether its elements are owned one by one. */
  readonly associative: boolean
  /** The keys that identify an element; none for a set. */
  readonly keys: readonly string[]
  /** The defaults of missing keys. */
  readonly keyDefaults: ReadonlyMap<string, unknown>
  readonly element: FieldType
}

/** An object. */
export interface MapType {
  readonly atomic: boolean
  /** The type of a field that the schema names. */
  field(name: string): FieldType | undefined
  /** The type of any other field; `undefined` where no other field is allowed. */
  readonly element: FieldType | undefined
  /** Whether its fields are unknown, so that any field is accepted. */
  readonly open: boolean
}

/** Unknown values that are owned as a whole. */
const UNTYPED: FieldType = {
  scalar: 'untyped',
  list: {
    associative: false,
    keys: [],
    keyDefaults: new Map(),
    get element() {
      return UNTYPED
    },
  },
  map: {
    atomic: true,
    field: () => undefined,
    get element() {
      return UNTYPED
    },
    open: false,
  },
}

/** Unknown values whose objects are owned field by field. */
const DEDUCED: FieldType = {
  scalar: 'untyped',
  list: { associative: false, keys: [], keyDefaults: new Map(), element: UNTYPED },
  map: {
    atomic: false,
    field: () => undefined,
    get element() {
      return DEDUCED
    },
    open: true,
  },
}

const QUANTITY = 'io.k8s.apimachinery.pkg.api.resource.Quantity'
const RAW_EXTENSION = 'io.k8s.apimachinery.pkg.runtime.RawExtension'
const UNTYPED_SCALAR = scalarType('untyped')

function scalarType(scalar: ScalarType): FieldType {
  return { scalar, list: undefined, map: undefined }
}

/** The type of whole objects of a schema. */
export const fieldTypeOf: (schema: TypeSchema) => FieldType = oncePerObject(
  (schema) => new Compiler(schema).root,
)

/**
 * Makes the types of a schema when they are needed: schemas refer to themselves, and most of their parts stay unused.
 */
class Compiler {
  readonly #schema: TypeSchema
  readonly #known: readonly [WeakMap<SchemaNode, FieldType>, WeakMap<SchemaNode, FieldType>] = [
    new WeakMap(),
    new WeakMap(),
  ]
  readonly root: FieldType

  constructor(schema: TypeSchema) {
    this.#schema = schema
    this.root = this.#make(schema.root, false, !isNative(schema))
  }

  /** `open` says whether a node above keeps unknown fields, which applies to all nodes below. */
  #of(node: SchemaNode, open: boolean): FieldType {
    const known = this.#known[open ? 1 : 0]
    let type = known.get(node)
    if (!type) known.set(node, (type = this.#make(node, open, false)))
    return type
  }

  #make(node: SchemaNode, inherited: boolean, resource: boolean): FieldType {
    const name = definitionName(node)
    if (name === QUANTITY) return UNTYPED_SCALAR
    if (name === RAW_EXTENSION) return UNTYPED
    const target = resolve(this.#schema, node)
    // A definition inherits nothing from the place that refers to it.
    const above = name === '' ? inherited : false
    const open = above || target['x-kubernetes-preserve-unknown-fields'] === true
    switch (target.type) {
      case 'object':
        return { scalar: undefined, list: undefined, map: this.#map(node, target, open, resource) }
      case 'array':
        return { scalar: undefined, list: this.#list(target, open), map: undefined }
      case undefined:
        return {
          scalar: 'untyped',
          list: this.#list(target, open),
          map: this.#map(node, target, open, resource),
        }
      case 'string':
        return target.format === undefined || target.format === 'byte' ? scalarType('string') : UNTYPED_SCALAR
      case 'boolean':
        return scalarType('boolean')
      default:
        return scalarType('numeric')
    }
  }

  #map(node: SchemaNode, target: SchemaNode, open: boolean, resource: boolean): MapType {
    const properties = propertiesOf(target)
    const embedded = resource || target['x-kubernetes-embedded-resource'] === true
    const nodeOf = (name: string): SchemaNode | undefined =>
      (embedded ? RESOURCE_FIELDS.get(name) : undefined) ?? properties.get(name)
    const additional = additionalOf(target)
    const empty = properties.size === 0 && !embedded
    let element: FieldType | undefined
    if (additional) element = this.#of(additional, open)
    else if (target.additionalProperties === true) element = DEDUCED
    else if (target.additionalProperties !== false && (open || empty)) element = DEDUCED
    const known = new Map<string, FieldType | undefined>()
    return {
      atomic: (node['x-kubernetes-map-type'] ?? target['x-kubernetes-map-type']) === 'atomic',
      field: (name) => {
        let type = known.get(name)
        if (!type) {
          const child = nodeOf(name)
          // Only names of the schema are cached: clients can send any number of others.
          if (child) known.set(name, (type = this.#of(child, child === OBJECT_META ? false : open)))
        }
        return type
      },
      element,
      open: empty && element === DEDUCED,
    }
  }

  #list(target: SchemaNode, open: boolean): ListType {
    const { items } = target
    const element = items ? this.#of(items, open) : UNTYPED
    const [associative, keys] = relationship(target)
    const item = items ? resolve(this.#schema, items) : {}
    const keyDefaults = new Map<string, unknown>()
    for (const key of keys) {
      const value = propertiesOf(item).get(key)?.default ?? (items?.$ref ? zeroOf(item, key) : undefined)
      if (value !== undefined) keyDefaults.set(key, value)
    }
    return { associative, keys, keyDefaults, element }
  }
}

/** The value of an unset field that a native type always writes. */
function zeroOf(node: SchemaNode, name: string): unknown {
  if (!node.required?.includes(name)) return undefined
  const type = propertiesOf(node).get(name)?.type
  if (type === 'string') return ''
  return type === 'integer' ? 0 : undefined
}

/**
 * The shape of a list, by its `x-kubernetes-list-type`. Older native lists have only the strategy of strategic merge
 * patches.
 */
function relationship(node: SchemaNode): readonly [associative: boolean, keys: readonly string[]] {
  const type = node['x-kubernetes-list-type']
  if (type === 'set') return [true, []]
  if (type === 'map') return [true, node['x-kubernetes-list-map-keys'] ?? []]
  if (type !== undefined || !node['x-kubernetes-patch-strategy']?.includes('merge')) return [false, []]
  const key = node['x-kubernetes-patch-merge-key']
  return [true, key === undefined ? [] : [key]]
}
