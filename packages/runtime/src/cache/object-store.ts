import type { KubernetesObject, ObjectKey } from '@homeostat/api'

interface Namespace {
  readonly objects: Map<string, KubernetesObject>
  /** The names in order; made when asked for, dropped when one comes or goes. */
  names: string[] | undefined
}

/** The objects of one kind by namespace and name. Lists come in the order in which a server lists. */
export class ObjectStore {
  readonly #namespaces = new Map<string, Namespace>()
  #order: string[] | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: ObjectKey): KubernetesObject | undefined {
    return this.#namespaces.get(key.namespace ?? '')?.objects.get(key.name)
  }

  set(object: KubernetesObject): void {
    const { name, namespace = '' } = object.metadata
    let found = this.#namespaces.get(namespace)
    if (!found) {
      this.#namespaces.set(namespace, (found = { objects: new Map(), names: undefined }))
      this.#order = undefined
    }
    if (!found.objects.has(name)) {
      found.names = undefined
      this.#size++
    }
    found.objects.set(name, object)
  }

  delete(key: ObjectKey): void {
    const namespace = key.namespace ?? ''
    const found = this.#namespaces.get(namespace)
    if (!found?.objects.delete(key.name)) return
    this.#size--
    found.names = undefined
    if (found.objects.size > 0) return
    this.#namespaces.delete(namespace)
    this.#order = undefined
  }

  /** All objects, or those of a namespace, by namespace and name. */
  list(namespace?: string): KubernetesObject[] {
    if (namespace !== undefined && namespace !== '') return listed(this.#namespaces.get(namespace))
    // A server orders by `namespace/name`, so `a-b` comes before `a`.
    this.#order ??= [...this.#namespaces.keys()].sort((a, b) => (`${a}/` < `${b}/` ? -1 : 1))
    return this.#order.flatMap((name) => listed(this.#namespaces.get(name)))
  }

  /** All objects in no order. */
  *values(): Generator<KubernetesObject> {
    for (const { objects } of this.#namespaces.values()) yield* objects.values()
  }

  clear(): void {
    this.#namespaces.clear()
    this.#order = undefined
    this.#size = 0
  }
}

function listed(namespace: Namespace | undefined): KubernetesObject[] {
  if (!namespace) return []
  namespace.names ??= [...namespace.objects.keys()].sort()
  return namespace.names.map((name) => namespace.objects.get(name)!)
}
