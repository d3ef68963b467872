import type { ObjectKey } from '@homeostat/api'
import type { ServedObject } from '../json/index.ts'

interface Namespace {
  readonly objects: Map<string, ServedObject>
  /** The sorted names; computed when needed, and dropped when a name is added or removed. */
  names: string[] | undefined
}

/** The objects of one kind by namespace and name. Lists come in the order in which a server lists. */
export class ObjectStore {
  readonly #namespaces = new Map<string, Namespace>()
  #order: string[] | undefined
  #size = 0
  #length = 0

  get size(): number {
    return this.#size
  }

  /** How long the texts of all objects are together. */
  get length(): number {
    return this.#length
  }

  get(key: ObjectKey): ServedObject | undefined {
    return this.#namespaces.get(key.namespace ?? '')?.objects.get(key.name)
  }

  set(object: ServedObject): void {
    const { name, namespace } = object
    let found = this.#namespaces.get(namespace)
    if (!found) {
      this.#namespaces.set(namespace, (found = { objects: new Map(), names: undefined }))
      this.#order = undefined
    }
    const old = found.objects.get(name)
    if (old) this.#length -= old.length
    else {
      found.names = undefined
      this.#size++
    }
    this.#length += object.length
    found.objects.set(name, object)
  }

  delete(key: ObjectKey): void {
    const namespace = key.namespace ?? ''
    const found = this.#namespaces.get(namespace)
    const old = found?.objects.get(key.name)
    if (!found || !old) return
    found.objects.delete(key.name)
    this.#size--
    this.#length -= old.length
    found.names = undefined
    if (found.objects.size > 0) return
    this.#namespaces.delete(namespace)
    this.#order = undefined
  }

  /** All objects, or those of a namespace, by namespace and name. */
  list(namespace?: string): ServedObject[] {
    if (namespace !== undefined && namespace !== '') return listed(this.#namespaces.get(namespace))
    // A server orders by `namespace/name`, so `a-b` comes before `a`.
    this.#order ??= [...this.#namespaces.keys()].sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1))
    return this.#order.flatMap((name) => listed(this.#namespaces.get(name)))
  }

  /** All objects, or those of a namespace, in no order. */
  *values(namespace?: string): Generator<ServedObject> {
    if (namespace) yield* this.#namespaces.get(namespace)?.objects.values() ?? []
    else for (const { objects } of this.#namespaces.values()) yield* objects.values()
  }

  clear(): void {
    this.#namespaces.clear()
    this.#order = undefined
    this.#size = 0
    this.#length = 0
  }
}

function listed(namespace: Namespace | undefined): ServedObject[] {
  if (!namespace) return []
  namespace.names ??= [...namespace.objects.keys()].sort()
  return namespace.names.map((name) => namespace.objects.get(name)!)
}
