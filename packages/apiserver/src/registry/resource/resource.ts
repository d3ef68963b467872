import type { KindStrategy } from './kind-strategy.ts'
import type { ResourceDescription } from './resource-description.ts'
import type { ServerObject } from './server-object.ts'

/** One resource in one version, as the server serves it. */
export interface Resource extends ResourceDescription {
  /** The strategy of the kind. That of a native kind must have been loaded: see `NativeKinds`. */
  readonly strategy: () => KindStrategy
  /** The collection of its objects, if it is that of another resource. */
  readonly collection?: string | undefined
  /** Converts an object of another version of a native kind to this one. Default: only the version's name differs. */
  readonly convert?: ((object: ServerObject, resource: ResourceDescription) => ServerObject) | undefined
}

/** The resources that the server serves now. It changes with CRDs. */
export interface Catalogue {
  /** In discovery's order: the core group first, versions by priority. */
  all(): readonly Resource[]
  find(group: string, version: string, plural: string): Resource | undefined
  /** Rises with every change; documents made from the catalogue are cached by it. */
  readonly revision: number
}
