import {
  checkOptionNames,
  optionNames,
  milliseconds,
  type ApiRequest,
  type ApiResponse,
  type Clock,
  type Duration,
} from '@homeostat/api'
import { isEndless, ServerMemory, type Transport, TransportError } from '../transport/index.ts'
import {
  type ClusterConfig,
  configuredCredentials,
  type Credentials,
  type CredentialSource,
} from '../configuration/index.ts'
import { attemptRequest, StaleConnection, type Attempts } from './attempt-request.ts'
import { ConnectionPool } from './connection-pool.ts'
import { endlessRequest } from './endless-request.ts'
import { explainFailure } from './explain-failure.ts'
import { impersonationHeaders } from './impersonation-headers.ts'
import type { Outgoing, RequestTaker } from './outgoing.ts'
import { pooledRequest } from './pooled-request.ts'

export interface NetworkTransportOptions {
  clock: Clock
  /**
   * How long to wait for data from the server: for the beginning of its answer, and then for each further part.
   * There is no limit for the body of a watch or of a followed log. Default: `'75s'`, because API servers
   * themselves end other requests than watches after 60 s: with a shorter timeout, a write that the server still
   * completes would count as failed.
   */
  requestTimeout?: Duration | undefined
}

export const NETWORK_OPTIONS = optionNames<NetworkTransportOptions>('connect', {
  clock: true,
  requestTimeout: true,
})

/**
 * Carries requests over the network, on one pool of connections. The server's certificate is verified against the
 * configuration's CA. If the credentials can be renewed, a request that the server refused with 401 is sent once
 * more with new ones. TCP keep-alive detects a peer that is gone.
 */
export function networkTransport(config: ClusterConfig, options: NetworkTransportOptions): Transport {
  checkOptionNames(options, NETWORK_OPTIONS)
  const { server } = config
  const requests = new NetworkRequests(config, options)
  const close = (): Promise<void> => requests.close()
  return {
    server,
    memory: new ServerMemory(),
    send: (request) => requests.send(request),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Sends the requests of one transport, and ends them when it closes. */
class NetworkRequests {
  readonly #server: string
  readonly #config: ClusterConfig
  readonly #clock: Clock
  readonly #host: string
  /** The path of the server's URL, without a slash at its end. */
  readonly #basePath: string
  /** The headers of every request. */
  readonly #headers: Readonly<Record<string, string | readonly string[]>>
  readonly #credentials: CredentialSource
  readonly #pool: ConnectionPool
  readonly #attempts: Attempts
  #isClosed = false

  constructor(config: ClusterConfig, { clock, requestTimeout = '75s' }: NetworkTransportOptions) {
    const { host, pathname } = new URL(config.server)
    this.#server = config.server
    this.#config = config
    this.#clock = clock
    this.#host = host
    this.#basePath = pathname.replace(/\/+$/, '')
    this.#headers = { 'user-agent': 'homeostat', ...impersonationHeaders(config.impersonate) }
    this.#credentials = configuredCredentials(config, clock)
    this.#pool = new ConnectionPool(config, clock)
    const timeout = milliseconds(requestTimeout)
    this.#attempts = { server: config.server, clock, timeout, underWay: new Set() }
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    if (this.#isClosed) throw closedError(this.#server)
    request.signal?.throwIfAborted()
    const credentials = await this.#credentials.get(request.signal)
    const response = await this.#sendAs(credentials, request)
    if (response.status !== 401) return response
    if (!this.#credentials.refused(credentials)) return this.#explained(response)
    const renewed = await this.#credentials.get(request.signal)
    await discard(response)
    return this.#sendAs(renewed, request)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const reason = closedError(this.#server)
    this.#credentials.close(reason)
    for (const stop of this.#attempts.underWay) stop(reason)
    this.#pool.close(reason)
  }

  /** The answer 401 of a server. Throws the reason instead if the client certificate has expired. */
  async #explained(response: ApiResponse): Promise<ApiResponse> {
    if (this.#config.tls.cert === undefined) return response
    const { expiredCertificate } = await import('./expired-certificate.ts')
    const expired = expiredCertificate(this.#config, this.#clock)
    if (!expired) return response
    await discard(response)
    throw expired
  }

  async #sendAs(credentials: Credentials, request: ApiRequest): Promise<ApiResponse> {
    if (this.#isClosed) throw closedError(this.#server)
    try {
      return await this.#attempt(credentials, request)
    } catch (error) {
      // The server closed the pooled connection at this very moment, before it answered. A request that changes
      // nothing is sent again, once, on a new connection.
      if (error instanceof StaleConnection) {
        if (request.method === 'GET' || request.method === 'HEAD') return this.#attempt(credentials, request)
        throw explainFailure(this.#server, error.cause)
      }
      throw error
    }
  }

  #attempt(credentials: Credentials, request: ApiRequest): Promise<ApiResponse> {
    return attemptRequest(request, (taker) => this.#begin(credentials, request, taker), this.#attempts)
  }

  #begin(credentials: Credentials, request: ApiRequest, taker: RequestTaker): Outgoing {
    const { header } = credentials
    const query = request.query.toString()
    const path = `${this.#basePath}${request.path}${query && `?${query}`}`
    const headers = {
      ...this.#headers,
      ...(header !== undefined && { authorization: header }),
      ...request.headers,
    }
    if (isEndless(request) && request.method === 'GET') {
      const connect = (receive: (bytes: Uint8Array) => boolean) => this.#pool.connect(credentials, receive)
      return endlessRequest(connect, { path, host: this.#host, headers }, taker)
    }
    const { method, body } = request
    const length = body && { 'content-length': String(body.byteLength) }
    const packed = { 'accept-encoding': 'gzip', ...headers, ...length }
    const outgoing = this.#pool.request(credentials, { method, path, maxHeaderSize: 65_536, headers: packed })
    return pooledRequest(outgoing, body, taker)
  }
}

/** Reads an answer to its end, so that its connection can be used again. */
async function discard(response: ApiResponse): Promise<void> {
  if (response.body instanceof Uint8Array) return
  for await (const _ of response.body);
}

function closedError(server: string): TransportError {
  return new TransportError(
    'TRANSPORT_CLOSED',
    `the connection to ${server} was closed by this process. Create a new transport to continue.`,
  )
}
