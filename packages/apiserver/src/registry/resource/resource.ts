import type { KindStrategy } from './kind-strategy.ts'
import type { ResourceDescription } from './resource-description.ts'
import type { ServerObject } from './server-object.ts'

/** One resource in one version, as the server serves it. */
export interface Resource extends ResourceDescription {
  /** What is special about the kind. Of a native kind it must have been loaded: see `NativeKinds`. */
  readonly strategy: () => KindStrategy
  /** The collection in which its objects are stored, where that is another resource's. */
  readonly collection?: string | undefined
  /** An object of another version of a native kind in this one. Default: only the version's name differs. */
  readonly convert?: ((object: ServerObject, resource: ResourceDescription) => ServerObject) | undefined
}

/** What the server serves at the moment. It changes when a CRD comes or goes. */
export interface Catalogue {
  /** In discovery's order: the core group first, versions by priority. */
  all(): readonly Resource[]
  find(group: string, version: string, plural: string): Resource | undefined
  /** Rises with every change; documents made from the catalogue are cached by it. */
  readonly revision: number
}
