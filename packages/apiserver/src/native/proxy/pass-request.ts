import { request as send, type IncomingMessage } from 'node:http'
import { Duplex } from 'node:stream'
import { connect as connectTls } from 'node:tls'
import type { ApiRequest, ApiResponse } from '@homeostat/api'
import type { PortConnection } from '../../http/index.ts'
import type { ProxyTarget } from './proxy-target.ts'

/** A request that is passed on over a connection of its own. */
export interface PassedRequest {
  readonly request: ApiRequest
  readonly target: ProxyTarget
  /** The path that the other side sees. */
  readonly path: string
  /** What stands before it in the path of the request. */
  readonly prefix: string
  readonly connection: PortConnection
}

/** Headers of one connection, and those by which the client proved who it is. */
const NOT_PASSED = new Set([
  'authorization',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Sends a request over a connection and gives the answer, whose body goes on as it comes. The connection ends with it. */
export function passRequest(passed: PassedRequest): Promise<ApiResponse> {
  const { request, target, path, connection } = passed
  const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>()
  const query = request.query.toString()
  const outgoing = send({
    method: request.method,
    path: `${path || '/'}${query === '' ? '' : `?${query}`}`,
    headers: headersOf(passed),
    createConnection: () => socketOf(target, connection),
    signal: request.signal,
  })
  outgoing.on('error', reject)
  outgoing.on('response', (incoming) => resolve(answerOf(incoming, passed)))
  outgoing.end(request.body)
  return promise
}

function socketOf({ scheme, address }: ProxyTarget, { readable, writable }: PortConnection): Duplex {
  const socket = Duplex.fromWeb({ readable, writable })
  // Pods have certificates of their own making; a Kubernetes API server does not check them either.
  return scheme === 'https' ? connectTls({ socket, host: address, rejectUnauthorized: false }) : socket
}

function headersOf({ request, target }: PassedRequest): Record<string, string> {
  const { address, port } = target
  const passed = Object.entries(request.headers).filter(
    ([name]) => !NOT_PASSED.has(name) && !name.startsWith('impersonate-'),
  )
  return {
    ...Object.fromEntries(passed),
    host: `${address.includes(':') ? `[${address}]` : address}:${port}`,
    'x-forwarded-uri': request.path,
    'x-forwarded-host': request.headers['host'] ?? '',
    'x-forwarded-proto': 'https',
    ...(request.body && { 'content-length': String(request.body.length) }),
    connection: 'close',
  }
}

function answerOf(incoming: IncomingMessage, passed: PassedRequest): ApiResponse {
  const entries = Object.entries(incoming.headers).flatMap(([name, value]) => {
    if (value === undefined || NOT_PASSED.has(name)) return []
    return [[name, Array.isArray(value) ? value.join(', ') : value] as const]
  })
  const headers = Object.fromEntries(entries)
  if (headers['location'] !== undefined) headers['location'] = locationBelow(headers['location'], passed)
  return { status: incoming.statusCode ?? 502, headers, body: chunksOf(incoming, passed.connection) }
}

async function* chunksOf(incoming: IncomingMessage, connection: PortConnection): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of incoming) yield chunk as Uint8Array
  } finally {
    connection.close()
  }
}

/** A redirection to a place of the same server leads through the proxy again. */
function locationBelow(location: string, { target, path, prefix }: PassedRequest): string {
  const own = `${target.scheme}://${target.address}:${target.port}`
  const url = URL.canParse(location, own + path) ? new URL(location, own + path) : undefined
  if (!url || url.host !== new URL(own).host) return location
  return `${prefix}${url.pathname}${url.search}${url.hash}`
}
