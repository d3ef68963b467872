import {
  additionalOf,
  equalJson,
  getKey,
  isObject,
  jsonText,
  propertiesOf,
  type SchemaNode,
} from '../../schema/index.ts'

/** A value with its old value, where the two can be correlated. */
export class Correlation {
  readonly #value: unknown
  readonly #old: unknown
  readonly #node: SchemaNode
  #equal: boolean | undefined
  #oldElements: ReadonlyMap<string, unknown> | undefined

  constructor(value: unknown, old: unknown, node: SchemaNode) {
    this.#value = value
    this.#old = old
    this.#node = node
  }

  /** Whether nothing has changed. */
  get unchanged(): boolean {
    return (this.#equal ??= equalJson(this.#value, this.#old))
  }

  /** The correlated values of a field. */
  key(name: string): Correlation | undefined {
    if (!isObject(this.#value) || !isObject(this.#old)) return undefined
    const value = getKey(this.#value, name)
    const old = getKey(this.#old, name)
    const node = propertiesOf(this.#node).get(name) ?? additionalOf(this.#node)
    return value === undefined || old === undefined || !node ? undefined : new Correlation(value, old, node)
  }

  /** The correlated values of an element: only elements with keys have an old value. */
  index(index: number): Correlation | undefined {
    if (!Array.isArray(this.#value) || !this.#node.items) return undefined
    const value: unknown = this.#value[index]
    this.#oldElements ??= oldElements(this.#node, this.#old)
    const old = this.#oldElements.get(elementIdentity(this.#node, value))
    return old === undefined ? undefined : new Correlation(value, old, this.#node.items)
  }
}

/** The old elements of a list with keys, by key; undefined for other lists. */
export function oldElements(node: SchemaNode, old: unknown): ReadonlyMap<string, unknown> {
  if (node['x-kubernetes-list-type'] !== 'map' || !Array.isArray(old)) return NOTHING
  const elements = new Map<string, unknown>()
  const list: readonly unknown[] = old
  for (const element of list) {
    const identity = elementIdentity(node, element)
    if (!elements.has(identity)) elements.set(identity, element)
  }
  return elements
}

/** The key of an element in a list with keys. */
export function elementIdentity(node: SchemaNode, element: unknown): string {
  const keys = node['x-kubernetes-list-map-keys'] ?? []
  const defaults = node.items ? propertiesOf(node.items) : undefined
  return jsonText(
    keys.map(
      (key) => (isObject(element) ? getKey(element, key) : undefined) ?? defaults?.get(key)?.default ?? null,
    ),
  )
}

const NOTHING: ReadonlyMap<string, unknown> = new Map()
