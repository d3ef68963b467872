import type { JsonObject } from '../../schema/index.ts'

/** A group and version that another API server serves. */
export interface ExtensionVersion {
  readonly group: string
  readonly version: string
  /** Its resources, in the aggregated form of discovery. Empty where they are not known. */
  readonly resources: readonly object[]
  /** Whether that server named these resources when it was last asked. */
  readonly fresh: boolean
  /** That server's OpenAPI v2 document of this group and version; undefined where it has none. */
  readonly swagger?: JsonObject | undefined
}

/** The groups and versions that other API servers serve, for the documents of this server. */
export interface Extensions {
  /** Rises with each change. */
  readonly revision: number
  /** All groups and versions of other servers, those of the highest priority first. */
  versions(): readonly ExtensionVersion[]
  /** The priority of a group and version, also of those that this server serves itself. */
  priorityOf(groupVersion: { readonly group: string; readonly version: string }): Priority
  /** The addresses of OpenAPI v3 documents of other servers, by what they describe: `apis/example.com/v1`. */
  openApi(): ReadonlyMap<string, string>
}

/** Groups and versions of a higher priority stand first. */
export interface Priority {
  readonly group: number
  readonly version: number
}
