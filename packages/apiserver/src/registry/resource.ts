import type { PrinterColumn, ScaleSubresource, Scope } from '@homeostat/api'
import type { TypeSchema } from '../schema/type-schema.ts'

/** One resource in one version, as the server serves it: native, or from a CustomResourceDefinition. */
export interface Resource {
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
  /** Whether it comes from a CRD: such kinds prune, and know no strategic merge patch. */
  readonly custom: boolean
  readonly schema: TypeSchema
  readonly columns: readonly PrinterColumn[]
}

/** What the server serves at the moment. It changes when a CRD comes or goes. */
export interface Catalogue {
  /** In discovery's order: the core group first, versions by priority. */
  all(): readonly Resource[]
  find(group: string, version: string, plural: string): Resource | undefined
  /** Rises with every change; documents made from the catalogue are cached by it. */
  readonly revision: number
}
