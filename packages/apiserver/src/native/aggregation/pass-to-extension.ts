import type { ApiRequest, ApiResponse, Clock } from '@homeostat/api'
import type { User } from '../../auth/index.ts'
import { isPortRequest, rawQueryOf, textAnswer } from '../../http/index.ts'
import { Failure, uid } from '../../registry/index.ts'
import { inGoWords, type Endpoint } from '../../upstream/index.ts'
import { escapePath, unescapePath } from '../proxy/url-text.ts'
import { passedHeaders } from '../proxy/passed-headers.ts'
import { passRequest, StaleConnection, type PassedRequest, type Received } from '../proxy/pass-request.ts'
import { proxiedAnswer } from '../proxy/proxied-answer.ts'
import { userHeaders } from './front-proxy.ts'

/** The time limit of discovery requests to an extension API server, in milliseconds: clients wait for all servers. */
const DISCOVERY_TIMEOUT = 5_000

/** A request for an extension API server. */
export interface ExtensionRequest {
  readonly request: ApiRequest
  readonly user: User
  readonly endpoint: Endpoint
  readonly to: PassedRequest['to']
  readonly clock: Clock
}

/** Passes a request on to an extension API server, in the name of its user, and returns that server's answer. */
export async function passToExtension(passed: ExtensionRequest): Promise<ApiResponse> {
  const { endpoint } = passed
  const upgrade = passed.request.headers['upgrade'] !== undefined
  const compressed = passed.request.headers['accept-encoding'] === undefined && !upgrade
  const request = withTimeout(passed.request)
  try {
    const received = await sent({ ...passed, request }, compressed)
    const { incoming } = received
    const { statusCode = 0 } = incoming
    if (statusCode >= 300 && statusCode < 400 && incoming.headers.location) {
      incoming.destroy()
      return redirected()
    }
    const connection = { close: () => void incoming.destroy() }
    return await proxiedAnswer({ received, connection, request, compressed })
  } catch (error) {
    passed.request.signal?.throwIfAborted()
    if (error instanceof Failure) throw error
    const reason = inGoWords(error, { hostname: endpoint.address, port: endpoint.port })
    return textAnswer(503, `${upgrade ? '' : 'error trying to reach service: '}${reason}\n`)
  }
}

async function sent(passed: ExtensionRequest, compressed: boolean): Promise<Received> {
  const { request, to } = passed
  const path = escapePath(unescapePath(request.path))
  const query = sortedQuery(rawQueryOf(request))
  const attempt = () =>
    passRequest({
      request,
      to,
      path: `${path}${query === '' ? '' : `?${query}`}`,
      headers: headersFor(passed, path, compressed),
    })
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof StaleConnection)) throw error
    if (!isSafe(request)) throw error.cause
    return attempt()
  }
}

function isSafe(request: ApiRequest): boolean {
  const streamed = isPortRequest(request) && request.bodyStream !== undefined
  return !streamed && (request.method === 'GET' || request.method === 'HEAD')
}

function headersFor(
  { request, user, endpoint: { address, port }, clock }: ExtensionRequest,
  path: string,
  compressed: boolean,
): Record<string, string | string[]> {
  const { upgrade } = request.headers
  const host = `${address.includes(':') ? `[${address}]` : address}:${port}`
  const forwarded = {
    'x-forwarded-uri': path,
    'x-forwarded-host': host,
    'x-forwarded-proto': 'https',
  }
  return {
    ...passedHeaders(request),
    'audit-id': request.headers['audit-id'] || uid(clock),
    host,
    ...(upgrade === undefined ? forwarded : { connection: 'Upgrade', upgrade }),
    ...(compressed && { 'accept-encoding': 'gzip' }),
    ...(request.body && { 'content-length': String(request.body.length) }),
    ...userHeaders(user),
  }
}

/** Requests for the discovery documents of a server have a time limit. */
function withTimeout(request: ApiRequest): ApiRequest {
  if (request.path.replaceAll(/^\/|\/$/g, '').split('/').length !== 3) return request
  const limit = AbortSignal.timeout(DISCOVERY_TIMEOUT)
  return { ...request, signal: request.signal ? AbortSignal.any([request.signal, limit]) : limit }
}

/** The query by the order of its keys, encoded as Go does. */
function sortedQuery(query: string): string {
  return [...new URLSearchParams(query)]
    .sort(([a], [b]) => (a === b ? 0 : a < b ? -1 : 1))
    .map(([key, value]) => `${queryEscaped(key)}=${queryEscaped(value)}`)
    .join('&')
}

function queryEscaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+')
}

function redirected(): ApiResponse {
  const text = 'the backend attempted to redirect this request, which is not permitted'
  const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-cache, private' }
  return { status: 502, headers, body: new TextEncoder().encode(text) }
}
