import type { Stored } from '../../storage/index.ts'
import type { Resource } from '../resource/resource.ts'

/**
 * The entries of native kinds that a write which changes nothing found valid. The next such write through the same resource and
 * subresource would find the same, so that it need not validate again.
 */
export class ValidEntries {
  readonly #parts = new WeakMap<Stored, Map<Resource, Set<string>>>()

  has(entry: Stored, resource: Resource, subresource = ''): boolean {
    return this.#parts.get(entry)?.get(resource)?.has(subresource) ?? false
  }

  add(entry: Stored, resource: Resource, subresource = ''): void {
    const resources = this.#parts.get(entry) ?? new Map<Resource, Set<string>>()
    const parts = resources.get(resource) ?? new Set<string>()
    parts.add(subresource)
    resources.set(resource, parts)
    this.#parts.set(entry, resources)
  }
}
