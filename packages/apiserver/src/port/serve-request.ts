import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { failure, type HomeostatError, setKey, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { HEADER_SEPARATOR } from '../auth/index.ts'
import { isUpgrade, statusAnswer, WatchStream, withSocketToken, type PortRequest } from '../http/index.ts'
import { isClosed, requestProblem } from './port-problems.ts'
import { discard, hasBody, readBody, refuseBody, streamedBody } from './request-body.ts'
import { sendAnswer, sendLastAnswer, type SendOptions } from './send-answer.ts'

/** The largest number of headers of a request. Parsing 100,000 takes a third of a second; clients need far fewer. */
const MOST_HEADERS = 10_000

/** The parts that each request of a port needs. */
export interface RequestServing extends SendOptions {
  /** Answers a request, after it has checked the certificate of its connection. */
  readonly handle: (request: ApiRequest, socket: TLSSocket) => Promise<ApiResponse>
  readonly passesOn: (path: string) => boolean
  /** Whether a header may come several times, besides those of impersonation. Default: none may. */
  readonly isRepeated?: ((header: string) => boolean) | undefined
  readonly onProblem: (problem: HomeostatError) => void
}

const TOO_MANY_HEADERS = `a request may have at most ${MOST_HEADERS} headers`

function hasTooManyHeaders({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.length > 2 * MOST_HEADERS
}

/** Serves one request of a connection. Reports a fault of the server, and closes the connection then. */
export async function serve(
  { handle, passesOn, isRepeated, idleTimeout, compresses, onProblem }: RequestServing,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  try {
    const head = headOf(incoming, signal, isRepeated)
    const streamed = hasBody(incoming) && passesOn(head.path)
    const body = hasBody(incoming) && !streamed ? await readBody(incoming, signal, idleTimeout) : undefined
    if (body === 'too large') {
      await refuseBody(incoming, outgoing, idleTimeout)
      return
    }
    const bodyStream = streamed ? streamedBody(incoming, idleTimeout) : undefined
    const request: PortRequest = { ...head, body, bodyStream }
    const response = hasTooManyHeaders(incoming)
      ? statusAnswer({ ...failure.badRequest(TOO_MANY_HEADERS), code: 431 })
      : await handle(request, incoming.socket as TLSSocket)
    // The unread rest of a body would be parsed as the next request.
    if (streamed && !incoming.complete) outgoing.shouldKeepAlive = false
    await sendAnswer(outgoing, response, incoming, signal, { idleTimeout, compresses })
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
export async function serveUpgrade(
  { handle, isRepeated, idleTimeout, compresses, onProblem }: RequestServing,
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
      : await handle(withSocketToken(headOf(incoming, signal, isRepeated)), socket)
    const refusal = await switchProtocol(response, to, idleTimeout)
    if (refusal === 'done') return
    response = refusal ?? response
    await sendLastAnswer(to, response, { idleTimeout, compresses })
  } catch (error) {
    if (!signal.aborted && !isClosed(error)) onProblem(requestProblem(incoming, error))
    socket.destroy()
  }
}

/**
 * Serves the connection in the protocol that its request asks for, to its end. Resolves to the answer where the
 * client is refused, and to `undefined` where the response is not an upgrade.
 */
async function switchProtocol(
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

function carriesBody({ headers }: IncomingMessage): boolean {
  return Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined
}

/** A request without its body. */
function headOf(
  incoming: IncomingMessage,
  signal: AbortSignal,
  isRepeated: RequestServing['isRepeated'],
): PortRequest {
  // A proxy may put the server's own address before the path.
  const target = (incoming.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '')
  const question = target.indexOf('?')
  const rawQuery = question < 0 ? '' : target.slice(question + 1)
  const headers: Record<string, string> = {}
  for (const name of Object.keys(incoming.headers)) {
    const value = incoming.headers[name]
    // These headers may be sent several times; joined by commas they could not be separated again.
    if (name.startsWith('impersonate-') || isRepeated?.(name)) {
      setKey(headers, name, incoming.headersDistinct[name]?.join(HEADER_SEPARATOR) ?? '')
    } else if (value !== undefined) setKey(headers, name, Array.isArray(value) ? value.join(', ') : value)
  }
  return {
    method: (incoming.method ?? 'GET') as ApiRequest['method'],
    path: question < 0 ? target : target.slice(0, question),
    query: new URLSearchParams(rawQuery),
    rawQuery,
    headers,
    signal,
    remoteAddress: incoming.socket.remoteAddress,
  }
}
