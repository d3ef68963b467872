import type { IncomingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { failure, type ApiResponse } from '@homeostat/api'
import type { WebSocket } from 'ws'
import { statusAnswer, textAnswer } from '../answer/answer.ts'
import { isSocketToken } from './socket-token.ts'
import { acceptWebSocket, wordsOf, type Upgrade } from './accept-web-socket.ts'

/** The bytes before each frame of protobuf with its length, which a message of a WebSocket does not need. */
const FRAME_HEAD = 4
const LINE_END = 0x0a

/**
 * Serves a watch over a WebSocket, as Java clients ask for it: a message for each event, which is text for JSON and
 * binary for protobuf. Messages of the client are ignored. The connection ends when the watch ends, when the client
 * leaves, or when the client has read nothing for the idle timeout. Where the handshake is refused, it sends nothing
 * and resolves to an answer: as on a Kubernetes API server, a client must send an Origin and may ask for at most one
 * protocol.
 */
export async function serveWatch(
  events: AsyncIterable<Uint8Array>,
  to: Upgrade & { readonly socket: Socket },
  idleTimeout: number,
): Promise<ApiResponse | undefined> {
  const { headers } = to.incoming
  if (!URL.canParse(headers.origin ?? '')) return textAnswer(403, '')
  const asked = wordsOf(headers['sec-websocket-protocol'])
  // A client with an Authorization header has no token among the protocols.
  const protocols = headers.authorization === undefined ? asked.filter((word) => !isSocketToken(word)) : asked
  if (protocols.length > 1) return statusAnswer(failure.badRequest('a watch accepts at most one protocol'))
  const binary = (to.headers['content-type'] ?? '').includes('protobuf')
  const webSocket = await acceptWebSocket({ ...to, headers: {} }, protocols[0] ?? '')
  if (!webSocket) return undefined
  // An error closes the connection, which aborts the signal and ends the watch.
  webSocket.on('error', () => undefined)
  webSocket.on('close', () => to.socket.destroy())
  to.socket.on('timeout', () => to.socket.destroy())
  for await (const chunk of events) {
    for (const message of binary ? framesOf(chunk) : linesOf(chunk)) {
      to.socket.setTimeout(idleTimeout)
      await send(webSocket, message, binary)
      to.socket.setTimeout(0)
    }
  }
  to.socket.setTimeout(idleTimeout)
  webSocket.close(1000)
  return undefined
}

export function isWebSocketRequest(headers: IncomingHttpHeaders): boolean {
  return (headers.upgrade ?? '').toLowerCase() === 'websocket'
}

/** Resolves when the connection has accepted the message, or has ended. */
function send(webSocket: WebSocket, message: Uint8Array, binary: boolean): Promise<void> {
  return new Promise((resolve) => webSocket.send(message, { binary }, () => resolve()))
}

/** The lines of a chunk, each with its end. */
function* linesOf(chunk: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length;) {
    const end = chunk.indexOf(LINE_END, start) + 1 || chunk.length
    yield chunk.subarray(start, end)
    start = end
  }
}

function* framesOf(chunk: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(chunk.buffer, chunk.byteOffset, chunk.length)
  for (let start = 0; start < chunk.length;) {
    const end = start + FRAME_HEAD + view.getUint32(start)
    yield chunk.subarray(start + FRAME_HEAD, end)
    start = end
  }
}
