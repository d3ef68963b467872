import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { pipeline, Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGzip, gzip } from 'node:zlib'
import { SystemClock, type ApiResponse, type Timer } from '@homeostat/api'
import { isPassedAnswer, ListStream, OwnedBytes } from '../http/index.ts'

/** The server waits for clients in real time, whatever its clock is. */
const machine = new SystemClock()

/** How answers are sent. */
export interface SendOptions {
  /** How long a client may accept nothing, in milliseconds; then its connection is closed. */
  readonly idleTimeout: number
  /** Whether long answers are compressed for clients that accept it. */
  readonly compresses: boolean
}

/** Shorter answers are not compressed. */
const GZIP_FROM = 128 * 1024
/** The length of the chunks of a compressed list. */
const GZIP_CHUNK = 64 * 1024
/** Bodies shorter than this are sent together with their headers. */
const SHORT_BODY = 16 * 1024
const compress = promisify(gzip)

/** Sends an answer: bytes at once, and a stream as it comes, no faster than the client reads. */
export async function sendAnswer(
  outgoing: ServerResponse,
  response: ApiResponse,
  incoming: IncomingMessage,
  signal: AbortSignal,
  { idleTimeout, compresses }: SendOptions,
): Promise<void> {
  const { body } = response
  if (body instanceof Uint8Array) {
    const headers: Record<string, string> = { ...response.headers }
    let bytes = body
    if (compresses && body.length > GZIP_FROM && takesGzip(incoming)) {
      bytes = await compress(body, { level: 1 })
      addGzip(headers)
    }
    headers['content-length'] = String(bytes.length)
    outgoing.writeHead(response.status, headers)
    // Without progress the connection is closed. Once the answer is sent, the time between requests counts instead.
    outgoing.socket?.setTimeout(idleTimeout)
    if (incoming.method === 'HEAD') outgoing.end()
    else endWith(outgoing, bytes, () => free(body))
    return
  }
  const repeated = isPassedAnswer(response) ? Object.fromEntries(response.repeatedHeaders) : undefined
  const headers: OutgoingHttpHeaders = { ...response.headers, ...repeated }
  const compressed = compresses && body instanceof ListStream && takesGzip(incoming)
  if (compressed) addGzip(headers)
  outgoing.writeHead(response.status, headers)
  outgoing.flushHeaders()
  for await (const chunk of compressed ? gzipped(body) : body) {
    if (signal.aborted) break
    const isSent = outgoing.write(chunk, () => free(chunk))
    if (!isSent) await drained(outgoing, signal, idleTimeout)
  }
  outgoing.end()
}

function addGzip(headers: OutgoingHttpHeaders): void {
  headers['content-encoding'] = 'gzip'
  headers['vary'] = headers['vary'] ? `${headers['vary']}, Accept-Encoding` : 'Accept-Encoding'
}

/** Compresses a list chunk by chunk, no faster than it is sent. */
function gzipped(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  const compressed = createGzip({ level: 1, chunkSize: GZIP_CHUNK })
  // An error ends the compressed stream as well, whose reader reports it.
  pipeline(Readable.from(body), compressed, () => undefined)
  return compressed
}

/** Answers, and closes the connection when the client hangs up, or after the idle timeout, whatever it still sends. */
export async function sendLastAnswer(
  { incoming, socket, signal }: { incoming: IncomingMessage; socket: TLSSocket; signal: AbortSignal },
  response: ApiResponse,
  { idleTimeout, compresses }: SendOptions,
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
  await sendAnswer(outgoing, response, incoming, signal, { idleTimeout, compresses })
  await closed
  limit?.cancel()
}

/**
 * Ends an answer with a body. Node joins a short text with the headers and encrypts and sends both at once, which it
 * does not do for bytes. Latin-1 keeps each byte as it is. `sent` is called when a long body was passed to the system.
 */
function endWith(
  outgoing: ServerResponse,
  { buffer, byteOffset, length }: Uint8Array,
  sent: () => void,
): void {
  const bytes = Buffer.from(buffer, byteOffset, length)
  if (length < SHORT_BODY) outgoing.end(bytes.toString('latin1'), 'latin1')
  else outgoing.end(bytes, sent)
}

/** Frees the memory of sent bytes, where the answer has them for itself. */
function free(bytes: Uint8Array): void {
  if (bytes instanceof OwnedBytes) bytes.free()
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
