/** The credentials of a request. */
export interface Credentials {
  /** The `authorization` header. */
  readonly header?: string | undefined
  /** A client certificate and its key, as PEM, where they are not the configuration's own. */
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** Provides the credentials of each request, and renews them. */
export interface CredentialSource {
  /** Rejects with the signal's reason when it aborts first. */
  get(signal: AbortSignal | undefined): Credentials | Promise<Credentials>
  /** Reports that the server did not accept the credentials. Returns whether the next `get` may return others. */
  refused(credentials: Credentials): boolean
  /** Ends a renewal that is under way; pending `get` calls reject with the reason. */
  close(reason: Error): void
}

/** Credentials that never change. */
export function constantSource(credentials: Credentials): CredentialSource {
  return { get: () => credentials, refused: () => false, close() {} }
}
