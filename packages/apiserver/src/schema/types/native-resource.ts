import type { ScaleSubresource, Scope } from '@homeostat/api'

/** The entry of a resource in one version in discovery. */
export interface ServedResource {
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly plural: string
  readonly singular: string
  readonly listKind: string
  readonly scope: Scope
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly subresources: { readonly status: boolean; readonly scale?: ScaleSubresource | undefined }
}

/** A native kind in one version, as Kubernetes serves it. `definition` names its schema. */
export interface NativeResource extends ServedResource {
  /** All subresources as discovery lists them, also those that need a kubelet. */
  readonly discoveredSubresources: readonly NativeSubresource[]
  /** Tells clients in which version objects are stored; absent where nothing is stored. */
  readonly storageVersionHash?: string | undefined
  readonly definition: string
}

/** A subresource of a native kind, with the type of its requests and answers. */
export interface NativeSubresource {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}
