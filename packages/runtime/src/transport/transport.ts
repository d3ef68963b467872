import type { ApiRequest, ApiResponse } from '@homeostat/api'
import type { ServerMemory } from './server-memory.ts'

/**
 * Carries requests to one API server as one user. A transport over the network keeps one pool of connections; a
 * direct one calls a server in the same process.
 *
 * `send` resolves when the head of the answer has arrived, whatever its status. It rejects with a `TransportError`
 * when there is no answer, and with the signal's reason when the signal aborts.
 */
export interface Transport extends AsyncDisposable {
  /** Where requests go, for messages: `https://127.0.0.1:6443`, or `in-process`. */
  readonly server: string
  /** Whether the server is in this process, so that a connection cannot break unnoticed. Default: false. */
  readonly inProcess?: boolean | undefined
  /**
   * Facts about the server that its clients have learned and share. A transport that wraps another one passes it on.
   * Default: clients share nothing.
   */
  readonly memory?: ServerMemory | undefined
  send(request: ApiRequest): Promise<ApiResponse>
  /** Ends every request under way and frees the connections. */
  close(): Promise<void>
}
