import {
  type ObservedChange,
  collectionOf,
  Failure,
  loadWrites,
  NAMESPACES,
  ownWrites,
  type Registry,
  type Resource,
  specOf,
  storedObject,
} from '../registry/index.ts'
import { copyJson, listOf } from '../schema/index.ts'
import { resourcesOf } from './custom-resource-definition/defined-resources.ts'
import { DEFINITIONS } from './custom-resource-definition/definition-summaries.ts'
import { CLEANUP_FINALIZER } from './custom-resource-definition/serve-definitions.ts'
import { CONTENT_FINALIZER } from './namespace/default-namespaces.ts'

/**
 * Deletes the content of namespaces and CRDs that are being deleted, and removes their finalizers once they are
 * empty. It reads the state instead of following events: it waits for objects that finalizers or a kubelet still
 * hold, and also deletes objects that are created late.
 */
export class ContentCleanup {
  readonly #registry: Registry
  /** The namespaces and CRDs to look at, by collection and name. */
  readonly #due = new Map<string, () => void>()
  #running = false
  /** Whether to empty namespaces as well as CRDs. */
  readonly #namespaces: boolean

  constructor(registry: Registry, { namespaces }: { readonly namespaces: boolean }) {
    this.#registry = registry
    this.#namespaces = namespaces
    registry.observe((change) => this.#see(change))
    for (const collection of [NAMESPACES, DEFINITIONS]) {
      for (const { key } of registry.store.snapshot({ collection })) this.#look(collection, key)
    }
  }

  #see({ resource, key, entry }: ObservedChange): void {
    const collection = collectionOf(resource)
    if (collection === NAMESPACES || collection === DEFINITIONS) {
      if (entry) this.#look(collection, key)
      return
    }
    if (entry) return
    if (resource.scope === 'Namespaced') this.#look(NAMESPACES, key.slice(0, key.indexOf('/')))
    if (resource.custom) this.#look(DEFINITIONS, `${resource.plural}.${resource.group}`)
  }

  /** Schedules a look at a namespace or CRD that is being deleted. */
  #look(collection: string, name: string): void {
    if (collection === NAMESPACES && !this.#namespaces) return
    const stored = this.#registry.store.get(collection, name)
    if (!(stored && storedObject(stored))?.metadata.deletionTimestamp) return
    const empty =
      collection === NAMESPACES ? () => this.#emptyNamespace(name) : () => this.#emptyDefinition(name)
    this.#due.set(`${collection} ${name}`, empty)
    if (this.#running) return
    this.#running = true
    this.#registry.soon('the content of namespaces and definitions that are being deleted', async () => {
      this.#running = true
      try {
        const loading = loadWrites(this.#registry)
        if (loading) await loading
        this.#run()
      } finally {
        this.#running = false
      }
    })
  }

  /** Deleting content schedules further looks, which the same loop carries out. */
  #run(): void {
    for (let next = this.#due.entries().next(); !next.done; next = this.#due.entries().next()) {
      const [what, empty] = next.value
      this.#due.delete(what)
      try {
        empty()
      } catch (error) {
        this.#due.set(what, empty)
        throw error
      }
    }
  }

  #emptyNamespace(name: string): void {
    const registry = this.#registry
    const versions = new Map<string, Resource[]>()
    for (const resource of registry.catalogue.all()) {
      if (resource.scope !== 'Namespaced') continue
      const collection = collectionOf(resource)
      versions.set(collection, [...(versions.get(collection) ?? []), resource])
    }
    let left = 0
    for (const resources of versions.values()) left += this.#deleteAll(resources, `${name}/`)
    const resource = registry.catalogue.find('', 'v1', 'namespaces')
    const stored = registry.store.get(NAMESPACES, name)
    if (left > 0 || !stored || !resource) return
    const namespace = copyJson(storedObject(stored))
    const finalizers = listOf(specOf(namespace)['finalizers']).filter((one) => one !== CONTENT_FINALIZER)
    if (finalizers.length === 0 && (namespace.metadata.finalizers ?? []).length === 0) {
      registry.remove(resource, name, stored.revision)
    } else if (listOf(specOf(namespace)['finalizers']).length > finalizers.length) {
      namespace['spec'] = { ...specOf(namespace), finalizers }
      registry.put(resource, name, stored.revision, namespace)
    }
  }

  #emptyDefinition(name: string): void {
    const registry = this.#registry
    const stored = registry.store.get(DEFINITIONS, name)
    const resource = registry.catalogue.find('apiextensions.k8s.io', 'v1', 'customresourcedefinitions')
    if (!stored || !resource) return
    const definition = copyJson(storedObject(stored))
    if (this.#deleteAll(resourcesOf(definition), '') > 0) return
    const finalizers = (definition.metadata.finalizers ?? []).filter((one) => one !== CLEANUP_FINALIZER)
    if (finalizers.length === 0) {
      registry.remove(resource, name, stored.revision)
    } else if (finalizers.length < (definition.metadata.finalizers ?? []).length) {
      definition.metadata.finalizers = finalizers
      registry.put(resource, name, stored.revision, definition)
    }
  }

  /**
   * Deletes the objects of a kind, given by its served versions, that are not being deleted yet. Returns how many are
   * left.
   */
  #deleteAll(versions: readonly Resource[], prefix: string): number {
    const [preferred] = versions
    if (!preferred) return 0
    const collection = collectionOf(preferred)
    const { store } = this.#registry
    for (const stored of store.snapshot({ collection, prefix })) {
      const { name = '', namespace, deletionTimestamp } = storedObject(stored).metadata
      if (deletionTimestamp) continue
      try {
        ownWrites
          .get()
          .deleteObject(
            this.#registry,
            { resource: preferred, namespace, name },
            { propagationPolicy: 'Background' },
          )
      } catch (error) {
        if (!(error instanceof Failure)) throw error
      }
    }
    return store.snapshot({ collection, prefix }).length
  }
}
