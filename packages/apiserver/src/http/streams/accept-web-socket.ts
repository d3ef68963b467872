import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'

/** A connection whose request asks for an upgrade. */
export interface Upgrade {
  readonly incoming: IncomingMessage
  readonly socket: Duplex
  /** The bytes that followed the request. */
  readonly head: Buffer
  /** Further headers of the answer. */
  readonly headers: Readonly<Record<string, string>>
  /** Aborts when the connection ends or the server closes. */
  readonly signal: AbortSignal
}

/** The longest message of a client, as in Kubernetes. */
const LONGEST_MESSAGE = 32 * 1_048_576

/**
 * Accepts a WebSocket. Resolves to `undefined` where the handshake is invalid: then the request was answered and its
 * connection closed.
 */
export function acceptWebSocket(to: Upgrade, protocol: string): Promise<WebSocket | undefined> {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: LONGEST_MESSAGE,
    handleProtocols: () => protocol || false,
  })
  server.on('headers', (lines) => {
    for (const [name, value] of Object.entries(to.headers)) lines.push(`${name}: ${value}`)
  })
  return new Promise((resolve) => {
    to.signal.addEventListener('abort', () => resolve(undefined), { once: true })
    server.handleUpgrade(to.incoming, to.socket, to.head, resolve)
  })
}

/** The words of a header that may be given several times. */
export function wordsOf(value: string | string[] | undefined): string[] {
  const text = Array.isArray(value) ? value.join(',') : (value ?? '')
  return text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean)
}
