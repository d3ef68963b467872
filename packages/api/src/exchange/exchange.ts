import type { Pausable } from '../clock/index.ts'

/**
 * One request to a Kubernetes API. `path` is absolute and decoded nowhere; `query` keeps the order
 * given. Header names are in lower case.
 */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  /** Ends the request wherever it is; a streaming answer then ends too. */
  readonly signal?: AbortSignal | undefined
  /** The name of the sender, such as a controller: for tests and logs in this process. It is not sent to a server. */
  readonly sender?: string | undefined
  /** The reconcile that sends it, for tests and logs in this process. It is not sent to a server. */
  readonly reconcile?: { readonly reconcileID: string } | undefined
  /**
   * What waits for the answer in this process. A server that lets simulated time pass before it answers pauses it. It is not
   * sent to a server elsewhere.
   */
  readonly waiting?: Pausable | undefined
  /**
   * Called by a transport that had to wait (for credentials, say) right before the request leaves this process; what
   * it throws is thrown instead of sending. A server is not given it.
   */
  readonly beforeSend?: (() => void) | undefined
  /**
   * Whether sender and server share a process, so that neither can vanish without the other noticing. A watch then needs
   * no sign of life: the server leaves out bookmarks that say nothing new. Default: false.
   */
  readonly inProcess?: boolean | undefined
}

/**
 * The answer. A body that is complete comes as bytes; one that goes on (a watch, a log that is followed)
 * comes as chunks, which end when the server is done or the request's signal aborts. A caller that
 * stops reading early must call `return()` on the iterator, as `for await` does.
 */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
}

/**
 * A Kubernetes API as a function: what a server's port serves, and what a client in the same process
 * calls without a port. It answers every failure with a Status document and rejects only when the
 * request's signal has aborted.
 */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>
