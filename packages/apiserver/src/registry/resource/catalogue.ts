import { apiVersionOf, compareKindVersions } from '@homeostat/api'
import type { Catalogue, Resource } from './resource.ts'

/** The resources that the server serves: the native ones, and those of CustomResourceDefinitions. */
export class LiveCatalogue implements Catalogue {
  readonly #native: readonly Resource[]
  /** The resources of each CRD, one for each version that it serves, by the CRD's name. */
  readonly #custom = new Map<string, readonly Resource[]>()
  readonly #byPath = new Map<string, Resource>()
  #byKind: ReadonlyMap<string, Resource> | undefined
  #all: readonly Resource[] | undefined
  #revision = 1

  constructor(native: readonly Resource[]) {
    this.#native = native
    for (const resource of native) this.#byPath.set(pathOf(resource), resource)
  }

  get revision(): number {
    return this.#revision
  }

  all(): readonly Resource[] {
    return (this.#all ??= [...this.#native, ...[...this.#custom.values()].flat()].sort(byGroup))
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`)
  }

  /** The resource of a native kind. */
  findKind(apiVersion: string, kind: string): Resource | undefined {
    this.#byKind ??= new Map(
      this.#native.map((resource) => [kindOf(apiVersionOf(resource), resource.kind), resource]),
    )
    return this.#byKind.get(kindOf(apiVersion, kind))
  }

  /** The resource in the first served version. */
  findAnyVersion(group: string, plural: string): Resource | undefined {
    return this.all().find((resource) => resource.group === group && resource.plural === plural)
  }

  /** Whether a path below this group is the API's own: a native group answers for all its versions. */
  isNativeGroup(group: string): boolean {
    return this.#native.some((resource) => resource.group === group)
  }

  /** Replaces the resources of a CRD; removes them when the CRD has none. */
  define(name: string, resources: readonly Resource[]): void {
    for (const resource of this.#custom.get(name) ?? []) this.#byPath.delete(pathOf(resource))
    if (resources.length === 0) this.#custom.delete(name)
    else this.#custom.set(name, resources)
    for (const resource of resources) this.#byPath.set(pathOf(resource), resource)
    this.#all = undefined
    this.#revision++
  }
}

function kindOf(apiVersion: string, kind: string): string {
  return `${apiVersion} ${kind}`
}

function pathOf(resource: Resource): string {
  return `${resource.group}/${resource.version}/${resource.plural}`
}

/**
 * Native groups in the order in which they were given, then the others by name. The versions of a group are sorted by
 * their stability, whichever definition added them first.
 */
function byGroup(a: Resource, b: Resource): number {
  if (!a.custom || !b.custom) return Number(a.custom) - Number(b.custom)
  if (a.group !== b.group) return a.group < b.group ? -1 : 1
  return compareKindVersions(a.version, b.version)
}
