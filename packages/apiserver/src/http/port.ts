import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { failure, HomeostatError, type ApiHandler, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { BODY_LIMIT } from '../wire/index.ts'
import { statusAnswer } from './answer.ts'
import { makeCertificates } from './certificates.ts'
import { Connections } from './connections.ts'
import { kubeconfigText } from './kubeconfig.ts'

/** Where a port is opened. */
export interface PortOptions {
  /** Default: 0, any that is free. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string | undefined
  /**
   * How long a client may take to send a request, or to read on while an answer waits for it, in milliseconds;
   * then its connection is closed. Default: 60,000.
   */
  readonly patience?: number | undefined
}

/** A port that serves the API over HTTPS. */
export interface ApiPort extends AsyncDisposable {
  /** `https://127.0.0.1:6443`. */
  readonly url: string
  readonly port: number
  /** Whoever sends it may do everything. */
  readonly token: string
  /** The certificate authority of the port, in PEM. */
  readonly certificateAuthority: string
  /** The text of a kubeconfig file that leads here. */
  kubeconfig(): string
  /** Ends what is under way and frees the port. */
  close(): Promise<void>
}

/** Answers shorter than this are sent as they are. */
const GZIP_FROM = 128 * 1024
const PATIENCE = 60_000
const compress = promisify(gzip)

/** Opens a port for a handler. Fails with `PORT_IN_USE` when another program has it. */
export async function openPort(
  handler: ApiHandler,
  token: string,
  options: PortOptions = {},
): Promise<ApiPort> {
  const host = options.host ?? '127.0.0.1'
  const certificates = await makeCertificates(host)
  const { patience = PATIENCE } = options
  const server = createServer(
    {
      key: certificates.key,
      cert: certificates.certificate,
      keepAlive: true,
      keepAliveTimeout: 120_000,
      handshakeTimeout: patience,
      // They end when the request is read to its end: how long a watch may be silent is the client's to decide.
      headersTimeout: patience,
      requestTimeout: patience,
      connectionsCheckingInterval: Math.ceil(patience / 4),
    },
    (incoming, outgoing) =>
      connections.take(incoming, outgoing, (signal) => serve(handler, incoming, outgoing, signal, patience)),
  )
  const connections = new Connections(server)
  const port = await listen(server, host, options.port ?? 0)
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await connections.close()
    await closed
  }
  return {
    url,
    port,
    token,
    certificateAuthority: certificates.authority,
    kubeconfig: () => kubeconfigText({ url, authority: certificates.authority, token }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') {
        const message = `port ${port} on ${host} is in use by another program: stop it, or choose another port (0 takes any that is free)`
        reject(new HomeostatError('PORT_IN_USE', message, { cause }))
      } else {
        const message = `cannot listen on ${host}:${port}: ${cause.message}. Choose another address or port`
        reject(new HomeostatError('PORT_NOT_OPEN', message, { cause }))
      }
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

async function serve(
  handler: ApiHandler,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
  patience: number,
): Promise<void> {
  try {
    const body = await readBody(incoming, signal)
    if (body === 'too large') {
      outgoing.shouldKeepAlive = false
      const refusal = statusAnswer(failure.requestEntityTooLarge(`limit is ${BODY_LIMIT}`))
      await answer(outgoing, refusal, incoming, signal, patience)
      return
    }
    const response = await handler(requestOf(incoming, body, signal))
    await answer(outgoing, response, incoming, signal, patience)
  } catch {
    // The client has gone, or the server is closing: there is nobody to tell.
    outgoing.destroy()
  }
}

function requestOf(incoming: IncomingMessage, body: Uint8Array | undefined, signal: AbortSignal): ApiRequest {
  // A proxy may put the server's own address before the path.
  const target = (incoming.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '')
  const question = target.indexOf('?')
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return {
    method: (incoming.method ?? 'GET') as ApiRequest['method'],
    path: question < 0 ? target : target.slice(0, question),
    query: new URLSearchParams(question < 0 ? '' : target.slice(question + 1)),
    headers,
    body,
    signal,
  }
}

async function readBody(
  incoming: IncomingMessage,
  signal: AbortSignal,
): Promise<Uint8Array | undefined | 'too large'> {
  const stop = (): void => void incoming.destroy()
  signal.addEventListener('abort', stop)
  try {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of incoming as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > BODY_LIMIT) return 'too large'
      chunks.push(chunk)
    }
    return length === 0 ? undefined : Buffer.concat(chunks)
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

async function answer(
  outgoing: ServerResponse,
  response: ApiResponse,
  incoming: IncomingMessage,
  signal: AbortSignal,
  patience: number,
): Promise<void> {
  const { body } = response
  if (body instanceof Uint8Array) {
    const headers: Record<string, string> = { ...response.headers }
    let bytes = body
    if (body.length > GZIP_FROM && /\bgzip\b/.test(incoming.headers['accept-encoding'] ?? '')) {
      bytes = await compress(body, { level: 1 })
      headers['content-encoding'] = 'gzip'
      headers['vary'] = headers['vary'] ? `${headers['vary']}, Accept-Encoding` : 'Accept-Encoding'
    }
    headers['content-length'] = String(bytes.length)
    outgoing.writeHead(response.status, headers)
    // Without progress the connection is closed. Once the answer is sent, the time between requests counts instead.
    outgoing.socket?.setTimeout(patience)
    outgoing.end(incoming.method === 'HEAD' ? undefined : bytes)
    return
  }
  outgoing.writeHead(response.status, response.headers)
  outgoing.flushHeaders()
  for await (const chunk of body) {
    if (signal.aborted) break
    if (!outgoing.write(chunk)) await drained(outgoing, signal, patience)
  }
  outgoing.end()
}

/**
 * Waits until the connection takes more: a slow client must not make the server hold what it does not read. One that
 * takes nothing at all for too long loses its connection.
 */
function drained(outgoing: ServerResponse, signal: AbortSignal, patience: number): Promise<void> {
  return new Promise((resolve) => {
    const { socket } = outgoing
    const done = (): void => {
      socket?.setTimeout(0)
      outgoing.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    socket?.setTimeout(patience)
    outgoing.on('drain', done)
    // The connection's end aborts as well.
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
