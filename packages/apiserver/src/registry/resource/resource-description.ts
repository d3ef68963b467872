import type { PrinterColumn } from '@homeostat/api'
import type { NativeSubresource, ServedResource, TypeSchema } from '../../schema/index.ts'

/**
 * The description of one resource in one version, native or from a CustomResourceDefinition, for discovery and
 * schemas.
 */
export interface ResourceDescription extends ServedResource {
  /** The paths of a custom kind that field selectors may use, such as `.spec.color`. */
  readonly selectableFields?: readonly string[] | undefined
  /** The version that objects of a custom kind are stored in. */
  readonly storageVersion?: string | undefined
  /** The `conversion.webhook` of a custom kind, where only a webhook converts between its versions. */
  readonly conversionWebhook?: Readonly<Record<string, unknown>> | undefined
  /** The schemas of all versions of a custom kind, also of those that are not served. */
  readonly versions?: ReadonlyMap<string, TypeSchema> | undefined
  /** The subresources that discovery lists; those of a custom kind follow from `subresources`. */
  readonly discoveredSubresources?: readonly NativeSubresource[] | undefined
  /** Tells clients in which version objects are stored; of a custom kind it is computed. */
  readonly storageVersionHash?: string | undefined
  /** The warning for clients of a deprecated resource. */
  readonly deprecation?: string | undefined
  /** Whether its objects are not stored, as of reviews and bindings. Such a resource has its own action. */
  readonly virtual?: boolean | undefined
  /** Whether it is from a CRD. Such kinds prune unknown fields, and have no strategic merge patch. */
  readonly custom: boolean
  readonly schema: TypeSchema
  readonly columns: readonly PrinterColumn[]
}
