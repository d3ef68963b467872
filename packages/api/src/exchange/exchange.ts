import type { Pausable } from '../clock/index.ts'

/**
 * One request to a Kubernetes API. `path` is absolute and still percent-encoded; `query` keeps the given order.
 * Header names are in lower case.
 */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD' | 'OPTIONS'
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Uint8Array | undefined
  /** Aborts the request at any stage; a streaming answer then ends too. */
  readonly signal?: AbortSignal | undefined
  /** The name of the sender, such as a controller: for tests and logs in this process. It is not sent to a server. */
  readonly sender?: string | undefined
  /** The reconcile that sends it, for tests and logs in this process. It is not sent to a server. */
  readonly reconcile?: { readonly reconcileID: string } | undefined
  /**
   * The work in this process that waits for the answer. A server that lets simulated time pass before it answers
   * pauses that work. It is not sent to a server elsewhere.
   */
  readonly waiting?: Pausable | undefined
  /**
   * Called by a transport that had to wait (for credentials, for example), right before it sends the request. If it
   * throws, the request is not sent. It is not passed to a server.
   */
  readonly beforeSend?: (() => void) | undefined
  /**
   * Whether sender and server share a process, so that neither can vanish without the other noticing. A watch then
   * needs no keep-alive: the server leaves out bookmarks without a new version. The server may answer with `ValueBytes`.
   * Default: false.
   */
  readonly inProcess?: boolean | undefined
}

/**
 * The answer. A complete body comes as bytes; a streamed one (a watch, a followed log) comes as chunks, which end
 * when the server is done or the request's signal aborts. A caller that stops reading early must call `return()` on
 * the iterator, as `for await` does.
 */
export interface ApiResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | AsyncIterable<Uint8Array>
}

/**
 * A Kubernetes API as a function. A server's port serves it, and a client in the same process calls it
 * without a port. It answers every failure with a Status document and rejects only when the
 * request's signal has aborted.
 */
export type ApiHandler = (request: ApiRequest) => Promise<ApiResponse>
