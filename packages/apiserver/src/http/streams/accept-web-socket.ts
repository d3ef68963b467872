import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'

/** A connection whose request asks to go on in another protocol. */
export interface Upgrade {
  readonly incoming: IncomingMessage
  readonly socket: Duplex
  /** What came behind the request. */
  readonly head: Buffer
  /** What the answer carries besides. */
  readonly headers: Readonly<Record<string, string>>
  /** Aborts when the connection or the server is over. */
  readonly signal: AbortSignal
}

/** No message of a client is longer; Kubernetes takes no more either. */
const LONGEST_MESSAGE = 32 * 1_048_576

/** Accepts a WebSocket. Resolves to nothing where the request asks for none after all: it is answered, and its connection closed. */
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
