import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  checkOptionNames,
  failure,
  HomeostatError,
  optionNames,
  setKey,
  SystemClock,
  type ApiRequest,
  type ApiResponse,
  type Clock,
  type Timer,
} from '@homeostat/api'
import { HEADER_SEPARATOR, type CertificateUser, type User } from '../auth/index.ts'
import { BODY_LIMIT } from '../wire/index.ts'
import {
  isPassedAnswer,
  isUpgrade,
  statusAnswer,
  WatchStream,
  withSocketToken,
  type PortRequest,
} from '../http/index.ts'
import {
  CertificateAuthority,
  type Certificate,
  type CertificateRequest,
  type Validity,
} from '../certificates/index.ts'
import { ClientCertificates } from './client-certificate.ts'
import { Connections } from './connections.ts'
import { kubeconfigText } from './kubeconfig.ts'
import { isClosed, isParserFault, refuseUnreadable, requestProblem } from './port-problems.ts'

/** The server waits for clients in real time, whatever its clock is. */
const machine = new SystemClock()

/** Where a port is opened. */
export interface PortOptions {
  /** Default: 0, any free port. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string | undefined
  /**
   * How long a client may take to send a request, or to continue reading an answer, in milliseconds; then the
   * server closes its connection. Default: 60,000.
   */
  readonly idleTimeout?: number | undefined
  /** Further names and addresses by which clients reach the port, for its certificate. Default: none. */
  readonly names?: readonly string[] | undefined
  /** The port's certificate and key, in PEM. Default: a certificate that an authority made for this port signs. */
  readonly tls?: Certificate | undefined
  /** Further authorities, in PEM, whose client certificates the port accepts, besides its own. Default: none. */
  readonly clientAuthorities?: string | undefined
  /**
   * Called when a connection breaks because of a problem in the server, not in the client or the network. The error
   * names the request if there is one. Default: such errors are ignored.
   */
  readonly onProblem?: ((problem: HomeostatError) => void) | undefined
}

const PORT_OPTIONS = optionNames<PortOptions>('ApiServer.listen', {
  port: true,
  host: true,
  idleTimeout: true,
  names: true,
  tls: true,
  clientAuthorities: true,
  onProblem: true,
})

/** The parts of its server that a port needs. */
export interface PortServer {
  readonly handler: PortHandler
  /** The bearer token of the administrator. */
  readonly token: string
  /** The clock for the validity of client certificates, besides the machine's own time. */
  readonly clock: Clock
  /**
   * Whether requests to a path are passed on to another server: the port does not read their bodies, which may have
   * any length. Default: none.
   */
  readonly passesOn?: ((path: string) => boolean) | undefined
  /** The authority of the port's certificate and of client certificates. Default: one that is made for this port. */
  readonly authority?: CertificateAuthority | undefined
  /** Whether long answers are compressed for clients that accept it. Default: true. */
  readonly compresses?: boolean | undefined
}

/** Answers a request that came through a port, from the user that the connection's certificate names. */
export type PortHandler = (request: ApiRequest, certificate: CertificateUser) => Promise<ApiResponse>

/** A port that serves the API over HTTPS. */
export interface ApiPort extends AsyncDisposable {
  /** `https://127.0.0.1:6443`. */
  readonly url: string
  readonly port: number
  /**
   * The port of the previous server on the same data folder, if it was another one: older kubeconfigs still name
   * it.
   */
  readonly formerPort?: number | undefined
  /** The bearer token of the administrator: a client that sends it has all rights. */
  readonly token: string
  /** The certificate that a client has to trust, in PEM: the port's authority, or the given certificate. */
  readonly certificateAuthority: string
  /** A certificate, by the port's own authority, that logs a client in as a user. */
  clientCertificate(user: Pick<User, 'name' | 'groups'>, validity?: Validity): Promise<Certificate>
  /**
   * Signs a certificate request by the port's own authority, for any subject: with the usage `client auth` its owner can log in
   * as the subject. Resolves to the certificate, in PEM.
   */
  signCertificate(
    request: CertificateRequest,
    options: { readonly usages: readonly string[]; readonly validity: Validity },
  ): Promise<string>
  /** The text of a kubeconfig file for this port. */
  kubeconfig(): string
  /** Ends running requests and closes the port. */
  close(): Promise<void>
}

/** Shorter answers are not compressed. */
const GZIP_FROM = 128 * 1024
/** Bodies shorter than this are sent together with their headers. */
const SHORT_BODY = 16 * 1024
/** The longest headers of a request, with its URL, in bytes: the limit of Go's server with its slack. */
const HEADER_LIMIT = 1024 * 1024 + 4096
/** The most headers of a request. Parsing 100,000 takes a third of a second; no client needs so many. */
const MOST_HEADERS = 10_000
/** How much of a refused body is read and discarded, in bytes. */
const LINGER_LIMIT = 256 * 1024 * 1024
const IDLE_TIMEOUT = 60_000
const compress = promisify(gzip)

/** Opens a port for a handler. Fails with `PORT_IN_USE` when another program has it. */
export async function openPort(
  { handler, token, clock, passesOn = () => false, compresses = true, ...given }: PortServer,
  options: PortOptions = {},
): Promise<ApiPort> {
  checkOptionNames(options, PORT_OPTIONS)
  const host = options.host ?? '127.0.0.1'
  const { idleTimeout = IDLE_TIMEOUT, clientAuthorities } = options
  const authority = given.authority ?? (await CertificateAuthority.create())
  const certificates = new ClientCertificates(() => clock.now())
  const serving: Serving = {
    handle: (request, socket) => handler(request, certificates.userOf(socket)),
    passesOn,
    idleTimeout,
    compresses,
    onProblem: options.onProblem ?? (() => undefined),
  }
  const tls = options.tls ?? (await authority.forServer(host, options.names))
  const trusted = options.tls ? options.tls.certificate : authority.certificate
  // An import would also load Node's `fetch` with all of its parts.
  const { createServer } = process.getBuiltinModule('node:https')
  const server = createServer(
    {
      key: tls.key,
      cert: tls.certificate,
      // A certificate is optional, since a token is enough; one that is shown must be valid.
      ca: [authority.certificate, ...(clientAuthorities ? [clientAuthorities] : [])],
      requestCert: true,
      rejectUnauthorized: false,
      keepAlive: true,
      keepAliveTimeout: 120_000,
      handshakeTimeout: idleTimeout,
      headersTimeout: idleTimeout,
      // `limitReading` limits the body. A body that is passed on may take any time.
      requestTimeout: 0,
      connectionsCheckingInterval: Math.ceil(idleTimeout / 4),
      maxHeaderSize: HEADER_LIMIT,
    },
    (incoming, outgoing) =>
      connections.take(incoming, outgoing, (signal) => serve(serving, incoming, outgoing, signal)),
  )
  // Node would leave a request with too many without an answer; `serve` refuses it.
  server.maxHeadersCount = 0
  readByEvents(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (isParserFault(error)) {
      const message = `the HTTP parser failed with ${error.code}: ${error.message}`
      serving.onProblem(new HomeostatError('PORT_PARSER', message, { cause: error }))
    }
    refuseUnreadable(error, socket, connections.isAnswering(socket as TLSSocket))
  })
  const connections = new Connections(server)
  server.on('upgrade', (incoming: IncomingMessage, _socket, head) => {
    const socket = incoming.socket as TLSSocket
    connections.takeOver(socket, (signal) => serveUpgrade(serving, { incoming, socket, head, signal }))
  })
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
    certificateAuthority: trusted,
    clientCertificate: (user, validity) => authority.forClient(user, validity),
    signCertificate: (request, signing) => authority.sign(request, signing),
    kubeconfig: () => kubeconfigText({ url, authority: trusted, token }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

/**
 * Feeds the HTTP parser by events of the socket. By default Node feeds it from the TLS layer itself, which goes on after
 * the parser was paused: a long request that arrives before the last answer has drained then fails with `HPE_PAUSED`,
 * and its connection is reset. Any listener for the socket's data switches to events.
 */
function readByEvents(server: Server): void {
  const listener = (): void => undefined
  server.on('secureConnection', (socket) => void socket.on('data', listener).off('data', listener))
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') {
        const message = `port ${port} on ${host} is in use by another program: stop it, or choose another port (0 means any free port)`
        reject(new HomeostatError('PORT_IN_USE', message, { cause }))
      } else {
        const message = `cannot listen on ${host}:${port}: ${cause.message}. Choose another address or port`
        reject(new HomeostatError('PORT_NOT_OPEN', message, { cause }))
      }
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

/** What each request of a port needs. */
interface Serving {
  /** Answers a request, after it has checked the certificate of its connection. */
  readonly handle: (request: ApiRequest, socket: TLSSocket) => Promise<ApiResponse>
  readonly passesOn: (path: string) => boolean
  readonly idleTimeout: number
  readonly compresses: boolean
  readonly onProblem: (problem: HomeostatError) => void
}

const TOO_MANY_HEADERS = `a request may have at most ${MOST_HEADERS} headers`

function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MOST_HEADERS
}

async function serve(
  { handle, passesOn, idleTimeout, compresses, onProblem }: Serving,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  try {
    const streamed = hasBody(incoming) && passesOn(requestOf(incoming, undefined, signal).path)
    const body = hasBody(incoming) && !streamed ? await readBody(incoming, signal, idleTimeout) : undefined
    if (body === 'too large') {
      await refuseBody(incoming, outgoing, idleTimeout)
      return
    }
    const request = requestOf(incoming, body, signal)
    const bodyStream = streamed ? streamedBody(incoming, idleTimeout) : undefined
    const whole: PortRequest = { ...request, bodyStream }
    const response = hasTooManyHeaders(incoming)
      ? statusAnswer({ ...failure.badRequest(TOO_MANY_HEADERS), code: 431 })
      : await handle(whole, incoming.socket as TLSSocket)
    // The unread rest of a body would be parsed as the next request.
    if (streamed && !incoming.complete) outgoing.shouldKeepAlive = false
    await answer(outgoing, response, incoming, signal, { idleTimeout, compresses })
    if (streamed && !incoming.complete) await discard(incoming, idleTimeout)
  } catch (error) {
    // Where the client has left, or the server is closing, there is nothing to report.
    if (!signal.aborted && !isClosed(error)) onProblem(requestProblem(incoming, error))
    outgoing.destroy()
  }
}

/**
 * Serves a request for an upgrade. If the upgrade is refused, it is answered like any other request, and its
 * connection ends.
 */
async function serveUpgrade(
  { handle, idleTimeout, compresses, onProblem }: Serving,
  to: { incoming: IncomingMessage; socket: TLSSocket; head: Buffer; signal: AbortSignal },
): Promise<void> {
  const { incoming, socket, signal } = to
  // A broken connection is closed, which aborts the signal.
  socket.on('error', () => undefined)
  try {
    socket.setTimeout(0)
    const refused = hasTooManyHeaders(incoming)
      ? TOO_MANY_HEADERS
      : carriesBody(incoming) && 'a request with a body cannot be upgraded'
    let response = refused
      ? statusAnswer(failure.badRequest(refused))
      : await handle(withSocketToken(requestOf(incoming, undefined, signal)), socket)
    const refusal = await goOn(response, to, idleTimeout)
    if (refusal === 'done') return
    response = refusal ?? response
    await lastAnswer(to, response, { idleTimeout, compresses })
  } catch (error) {
    if (!signal.aborted && !isClosed(error)) onProblem(requestProblem(incoming, error))
    socket.destroy()
  }
}

/**
 * Serves the connection in the protocol that its request asks for, to its end. Resolves to the answer where the
 * client is refused, and to `undefined` where the response is not an upgrade.
 */
async function goOn(
  response: ApiResponse,
  to: { incoming: IncomingMessage; socket: TLSSocket; head: Buffer; signal: AbortSignal },
  idleTimeout: number,
): Promise<ApiResponse | 'done' | undefined> {
  const { headers, body } = response
  const watch = body instanceof WatchStream ? body : undefined
  if (!isUpgrade(response) && !watch) return undefined
  // Imported late: most servers never need it.
  const { isWebSocketRequest, serveWatch, upgrade } = await import('../http/streams/index.ts')
  if (isUpgrade(response)) return (await upgrade(response.session, { ...to, headers })) ?? 'done'
  if (!watch || !isWebSocketRequest(to.incoming.headers)) return undefined
  const refusal = await serveWatch(watch, { ...to, headers }, idleTimeout)
  if (refusal) await watch.return()
  return refusal ?? 'done'
}

/** Answers, and closes the connection when the client hangs up, or after the idle timeout, whatever it still sends. */
async function lastAnswer(
  { incoming, socket, signal }: { incoming: IncomingMessage; socket: TLSSocket; signal: AbortSignal },
  response: ApiResponse,
  { idleTimeout, compresses }: Pick<Serving, 'idleTimeout' | 'compresses'>,
): Promise<void> {
  // After an upgrade the HTTP server no longer manages the connection.
  socket.once('timeout', () => socket.destroy())
  const { ServerResponse } = process.getBuiltinModule('node:http')
  const outgoing = new ServerResponse(incoming)
  outgoing.assignSocket(socket)
  outgoing.shouldKeepAlive = false
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let limit: Timer | undefined
  outgoing.once('finish', () => {
    limit = machine.schedule(idleTimeout, () => socket.destroy())
    socket.resume()
    socket.end()
  })
  await answer(outgoing, response, incoming, signal, { idleTimeout, compresses })
  await closed
  limit?.cancel()
}

function carriesBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

function requestOf(
  incoming: IncomingMessage,
  body: Uint8Array | undefined,
  signal: AbortSignal,
): PortRequest {
  // A proxy may put the server's own address before the path.
  const target = (incoming.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '')
  const question = target.indexOf('?')
  const rawQuery = question < 0 ? '' : target.slice(question + 1)
  const headers: Record<string, string> = {}
  for (const name of Object.keys(incoming.headers)) {
    const value = incoming.headers[name]
    // These headers may be sent several times; joined by commas they could not be separated again.
    if (name.startsWith('impersonate-')) {
      setKey(headers, name, incoming.headersDistinct[name]?.join(HEADER_SEPARATOR) ?? '')
    } else if (value !== undefined) setKey(headers, name, Array.isArray(value) ? value.join(', ') : value)
  }
  return {
    method: (incoming.method ?? 'GET') as ApiRequest['method'],
    path: question < 0 ? target : target.slice(0, question),
    query: new URLSearchParams(rawQuery),
    rawQuery,
    headers,
    body,
    signal,
    remoteAddress: incoming.socket.remoteAddress,
  }
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Reads the body, or as much of it as shows that it is too long. Rejects when the connection breaks. */
function readBody(
  incoming: IncomingMessage,
  signal: AbortSignal,
  limit: number,
): Promise<Uint8Array | undefined | 'too large'> {
  const timer = limitReading(incoming, limit)
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined | 'too large'>()
  const chunks: Buffer[] = []
  let length = 0
  const stop = (): void => void incoming.destroy()
  const settle = (): void => {
    timer.cancel()
    signal.removeEventListener('abort', stop)
    incoming.off('data', take)
  }
  const take = (chunk: Buffer): void => {
    length += chunk.length
    chunks.push(chunk)
    if (length <= BODY_LIMIT) return
    settle()
    incoming.pause()
    resolve('too large')
  }
  signal.addEventListener('abort', stop)
  incoming.on('data', take)
  incoming.once('end', () => {
    settle()
    resolve(length === 0 ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  })
  const broken = (): void => {
    settle()
    if (!incoming.complete) {
      reject(new HomeostatError('CONNECTION_CLOSED', 'the connection ended within a request'))
    }
  }
  incoming.once('error', broken)
  incoming.once('close', broken)
  return promise
}

/** Closes the connection of a client that does not send a body to its end in time. */
function limitReading(incoming: IncomingMessage, limit: number): Timer {
  return machine.schedule(limit, () => {
    refuseUnreadable({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, incoming.socket, false)
  })
}

/** The body as it arrives. Fails where the client sends nothing within the time limit while the reader waits. */
async function* streamedBody(incoming: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]()
  while (true) {
    const next = await within(limitReading(incoming, limit), chunks.next())
    if (next.done) return
    // How long the reader takes is not the client's fault.
    yield next.value
  }
}

async function within<T>(timer: Timer, result: Promise<T>): Promise<T> {
  try {
    return await result
  } finally {
    timer.cancel()
  }
}

/** Reads and discards the rest of a body, up to a limit, and closes the connection. */
async function discard(incoming: IncomingMessage, limit: number): Promise<void> {
  const timer = machine.schedule(limit, () => incoming.destroy())
  let length = 0
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > LINGER_LIMIT) incoming.destroy()
  })
  await new Promise<void>((resolve) => incoming.once('end', resolve).once('close', resolve).resume())
  timer.cancel()
  incoming.socket.destroySoon()
}

/**
 * Answers a request whose body is too long, and closes its connection. It discards further input for a while: closing
 * a connection with unread input resets it, and the answer may be lost.
 */
async function refuseBody(incoming: IncomingMessage, outgoing: ServerResponse, limit: number): Promise<void> {
  using _limit = machine.schedule(limit, () => incoming.socket.destroy())
  const { status, headers, body } = statusAnswer(
    failure.requestEntityTooLarge(`limit is ${BODY_LIMIT}`),
  ) as ApiResponse & { body: Uint8Array }
  outgoing.writeHead(status, { ...headers, connection: 'close', 'content-length': String(body.length) })
  outgoing.write(body)
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > LINGER_LIMIT) break
  }
  outgoing.end()
}

async function answer(
  outgoing: ServerResponse,
  response: ApiResponse,
  incoming: IncomingMessage,
  signal: AbortSignal,
  { idleTimeout, compresses }: Pick<Serving, 'idleTimeout' | 'compresses'>,
): Promise<void> {
  const { body } = response
  if (body instanceof Uint8Array) {
    const headers: Record<string, string> = { ...response.headers }
    let bytes = body
    if (compresses && body.length > GZIP_FROM && takesGzip(incoming)) {
      bytes = await compress(body, { level: 1 })
      headers['content-encoding'] = 'gzip'
      headers['vary'] = headers['vary'] ? `${headers['vary']}, Accept-Encoding` : 'Accept-Encoding'
    }
    headers['content-length'] = String(bytes.length)
    outgoing.writeHead(response.status, headers)
    // Without progress the connection is closed. Once the answer is sent, the time between requests counts instead.
    outgoing.socket?.setTimeout(idleTimeout)
    if (incoming.method === 'HEAD') outgoing.end()
    else endWith(outgoing, bytes)
    return
  }
  const repeated = isPassedAnswer(response) ? Object.fromEntries(response.repeatedHeaders) : undefined
  const headers: OutgoingHttpHeaders = { ...response.headers, ...repeated }
  outgoing.writeHead(response.status, headers)
  outgoing.flushHeaders()
  for await (const chunk of body) {
    if (signal.aborted) break
    if (!outgoing.write(chunk)) await drained(outgoing, signal, idleTimeout)
  }
  outgoing.end()
}

/**
 * Ends an answer with a body. Node joins a short text with the headers and encrypts and sends both at once, which it
 * does not do for bytes. Latin-1 keeps each byte as it is.
 */
function endWith(outgoing: ServerResponse, { buffer, byteOffset, length }: Uint8Array): void {
  const bytes = Buffer.from(buffer, byteOffset, length)
  if (length < SHORT_BODY) outgoing.end(bytes.toString('latin1'), 'latin1')
  else outgoing.end(bytes)
}

/**
 * Whether an answer may be compressed. As in a Kubernetes API server, only the plain word `gzip` counts, and OpenAPI
 * is not compressed.
 */
function takesGzip({ headers, url }: IncomingMessage): boolean {
  const accepted = headers['accept-encoding']
  if (typeof accepted !== 'string' || url?.startsWith('/openapi/')) return false
  return accepted.split(',').some((encoding) => encoding.trim() === 'gzip')
}

/**
 * Waits until the connection accepts more, so that the server does not buffer for a slow client. A client that
 * accepts nothing for too long loses its connection.
 */
function drained(outgoing: ServerResponse, signal: AbortSignal, idleTimeout: number): Promise<void> {
  return new Promise((resolve) => {
    const { socket } = outgoing
    const done = (): void => {
      socket?.setTimeout(0)
      outgoing.off('drain', done)
      signal.removeEventListener('abort', done)
      resolve()
    }
    socket?.setTimeout(idleTimeout)
    outgoing.on('drain', done)
    // The end of the connection aborts too.
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
}
