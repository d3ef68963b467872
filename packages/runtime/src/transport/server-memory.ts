import type { Kind } from '@homeostat/api'

/** An applied document, and the values that the server stored for its fields, both as text. */
export interface AppliedDocument {
  readonly desired: string
  readonly answered: string
}

/**
 * Facts about a server that its clients have learned and share. It belongs to a transport and lives as long as
 * the transport; a transport that wraps another one passes it on.
 */
export class ServerMemory {
  /** The warnings of the server that were logged. */
  readonly warnings = new Set<string>()
  /** The kinds that the server was found to serve, by apiVersion and kind. */
  readonly kinds = new Map<string, Kind>()
  /** Applied documents that the server stored in another form, by object and manager, the oldest first. */
  readonly applied = new Map<string, AppliedDocument>()
}
