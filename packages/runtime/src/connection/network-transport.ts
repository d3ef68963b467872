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
import { type ClusterConfig, configuredCredentials, type Credentials } from '../configuration/index.ts'
import { attemptRequest, StaleConnection } from './attempt-request.ts'
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
  const { clock } = options
  const timeout = milliseconds(options.requestTimeout ?? '75s')
  const { host, pathname } = new URL(config.server)
  const basePath = pathname.replace(/\/+$/, '')
  const source = configuredCredentials(config, clock)
  const always = {
    'user-agent': 'homeostat',
    ...impersonationHeaders(config.impersonate),
  }
  const pool = new ConnectionPool(config, clock)
  const attempts = {
    server: config.server,
    clock,
    timeout,
    underWay: new Set<(error: TransportError) => void>(),
  }
  let closed = false

  async function send(request: ApiRequest): Promise<ApiResponse> {
    if (closed) throw closedError(config.server)
    request.signal?.throwIfAborted()
    const credentials = await source.get(request.signal)
    const response = await sendAs(credentials, request)
    if (response.status !== 401) return response
    if (!source.refused(credentials)) return explained(response)
    const renewed = await source.get(request.signal)
    await discard(response)
    return sendAs(renewed, request)
  }

  /** The answer 401 of a server, with the reason if the client certificate has expired. */
  async function explained(response: ApiResponse): Promise<ApiResponse> {
    if (config.tls.cert === undefined) return response
    const { expiredCertificate } = await import('./expired-certificate.ts')
    const expired = expiredCertificate(config, clock)
    if (!expired) return response
    await discard(response)
    throw expired
  }

  async function sendAs(credentials: Credentials, request: ApiRequest): Promise<ApiResponse> {
    if (closed) throw closedError(config.server)
    try {
      return await attempt(credentials, request)
    } catch (error) {
      // The server closed the pooled connection at this very moment, before it answered. A request that changes
      // nothing is sent again, once, on a new connection.
      if (error instanceof StaleConnection) {
        if (request.method === 'GET' || request.method === 'HEAD') return attempt(credentials, request)
        throw explainFailure(config.server, error.cause)
      }
      throw error
    }
  }

  function attempt(credentials: Credentials, request: ApiRequest): Promise<ApiResponse> {
    return attemptRequest(request, (taker) => begin(credentials, request, taker), attempts)
  }

  function begin(credentials: Credentials, request: ApiRequest, taker: RequestTaker): Outgoing {
    const { header } = credentials
    const query = request.query.toString()
    const path = `${basePath}${request.path}${query && `?${query}`}`
    const headers = {
      ...always,
      ...(header !== undefined && { authorization: header }),
      ...request.headers,
    }
    if (isEndless(request) && request.method === 'GET') {
      const connect = (receive: (bytes: Uint8Array) => boolean) => pool.connect(credentials, receive)
      return endlessRequest(connect, { path, host, headers }, taker)
    }
    const { method, body } = request
    const length = body && { 'content-length': String(body.byteLength) }
    const packed = { 'accept-encoding': 'gzip', ...headers, ...length }
    const outgoing = pool.request(credentials, { method, path, maxHeaderSize: 65_536, headers: packed })
    return pooledRequest(outgoing, body, taker)
  }

  async function close(): Promise<void> {
    closed = true
    const reason = closedError(config.server)
    source.close(reason)
    for (const stop of attempts.underWay) stop(reason)
    pool.close(reason)
  }

  const memory = new ServerMemory()
  return { server: config.server, memory, send, close, [Symbol.asyncDispose]: close }
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
