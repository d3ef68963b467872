import type { Kind } from '@homeostat/api'

/** A document that was applied, and what the server made of the fields that it owns, both as text. */
export interface AppliedDocument {
  readonly desired: string
  readonly answered: string
}

/**
 * What the clients of one server have learned about it, and share. It belongs to a transport and lives as long as
 * the transport; a transport that wraps another one passes it on.
 */
export class ServerMemory {
  /** The warnings of the server that were logged. */
  readonly warnings = new Set<string>()
  /** The kinds that the server was found to serve, by apiVersion and kind. */
  readonly kinds = new Map<string, Kind>()
  /** What was applied and came back in another form, by object and manager; the oldest first. */
  readonly applied = new Map<string, AppliedDocument>()
}
