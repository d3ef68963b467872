import { request as send, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Duplex } from 'node:stream'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import type { ApiRequest } from '@homeostat/api'
import { isPortRequest, type PortConnection } from '../../http/index.ts'

/** A request that is passed on to another server. */
export interface PassedRequest {
  readonly request: ApiRequest
  /** How the other server is reached. */
  readonly to: Pick<RequestOptions, 'protocol' | 'agent' | 'host' | 'port' | 'createConnection'>
  /** The path and query that the other side gets. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | string[]>>
}

/** The answer of the other side: a message, or an upgraded connection. */
export type Received =
  | { readonly incoming: IncomingMessage; readonly socket?: undefined }
  | { readonly incoming: IncomingMessage; readonly socket: Duplex; readonly head: Buffer }

/** A request failed on a connection that was kept open: the other server may have closed it before the request came. */
export class StaleConnection extends Error {
  override readonly cause: Error

  constructor(cause: Error) {
    super(cause.message)
    this.cause = cause
  }
}

/**
 * Sends a request over a connection, and resolves with the answer once its headers have arrived. Rejects if the
 * connection breaks before. The body of the request is passed on as it arrives, no faster than the other side reads.
 */
export function passRequest(passed: PassedRequest): Promise<Received> {
  const { request, to, path, headers } = passed
  const { promise, resolve, reject } = Promise.withResolvers<Received>()
  const outgoing = send({
    ...to,
    method: request.method,
    path,
    headers,
    setHost: false,
    signal: request.signal,
  })
  // After the answer has begun, the reader of its body gets the error.
  outgoing.on('error', (error) => reject(outgoing.reusedSocket ? new StaleConnection(error) : error))
  outgoing.on('response', (incoming) => resolve({ incoming }))
  outgoing.on('upgrade', (incoming, socket, head) => resolve({ incoming, socket, head }))
  void sendBody(outgoing, request)
  return promise
}

/** Reaches the other server over the given connection; by TLS where `tls` has its options. */
export function overConnection(
  { readable, writable }: PortConnection,
  tls: ConnectionOptions | undefined,
): PassedRequest['to'] {
  return { createConnection: () => socketOf(readable, writable, tls) }
}

/** A connection as a socket. */
export function socketOf(
  readable: PortConnection['readable'],
  writable: PortConnection['writable'],
  tls: ConnectionOptions | undefined,
): Duplex {
  const plain = Duplex.fromWeb({ readable, writable })
  // The request and the reader of its answer handle errors themselves. After both are done, the socket may emit
  // another.
  plain.on('error', () => undefined)
  return tls ? connectTls({ ...tls, socket: plain }).on('error', () => undefined) : plain
}

async function sendBody(outgoing: ClientRequest, request: ApiRequest): Promise<void> {
  const stream = isPortRequest(request) ? request.bodyStream : undefined
  if (!stream) return void outgoing.end(request.body)
  try {
    for await (const chunk of stream) {
      if (outgoing.destroyed) return
      if (!outgoing.write(chunk)) await drained(outgoing)
    }
    outgoing.end()
  } catch (error) {
    outgoing.destroy(error instanceof Error ? error : undefined)
  }
}

function drained(outgoing: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done)
      resolve()
    }
    outgoing.on('drain', done).on('close', done)
    if (outgoing.destroyed) done()
  })
}

/** The body of an answer as it arrives. The connection closes at its end, or when the reader stops. */
export async function* chunksOf(
  incoming: AsyncIterable<Uint8Array>,
  connection: Pick<PortConnection, 'close'>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* incoming
  } finally {
    connection.close()
  }
}
