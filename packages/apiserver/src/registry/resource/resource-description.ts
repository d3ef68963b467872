import type { PrinterColumn } from '@homeostat/api'
import type { NativeSubresource, ServedResource, TypeSchema } from '../../schema/index.ts'

/** What discovery and schemas say about one resource in one version: native, or from a CustomResourceDefinition. */
export interface ResourceDescription extends ServedResource {
  /** The paths of a custom kind that field selectors may use, such as `.spec.color`. */
  readonly selectableFields?: readonly string[] | undefined
  /** The version that objects of a custom kind are stored in. */
  readonly storageVersion?: string | undefined
  /** The `conversion.webhook` of a custom kind, where only a webhook converts between its versions. */
  readonly conversionWebhook?: Readonly<Record<string, unknown>> | undefined
  /** The schemas of all versions of a custom kind, also of those that are not served. */
  readonly versions?: ReadonlyMap<string, TypeSchema> | undefined
  /** What discovery lists below an object; of a custom kind it follows from `subresources`. */
  readonly discoveredSubresources?: readonly NativeSubresource[] | undefined
  /** Tells clients in which version objects are stored; of a custom kind it is computed. */
  readonly storageVersionHash?: string | undefined
  /** The warning for clients of a deprecated resource. */
  readonly deprecation?: string | undefined
  /** Whether nothing of it is stored: reviews, bindings. Such a resource has an action of its own. */
  readonly virtual?: boolean | undefined
  /** Whether it comes from a CRD: such kinds prune, and know no strategic merge patch. */
  readonly custom: boolean
  readonly schema: TypeSchema
  readonly columns: readonly PrinterColumn[]
}
