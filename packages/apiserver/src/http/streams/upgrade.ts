import type { Duplex } from 'node:stream'
import { failure, type ApiResponse, type Clock } from '@homeostat/api'
import { createWebSocketStream } from 'ws'
import { statusAnswer, textAnswer } from '../answer/answer.ts'
import type { StreamSession } from './stream-session.ts'
import { acceptWebSocket, wordsOf, type Upgrade } from './accept-web-socket.ts'
import { heartbeat } from './heartbeat.ts'
import { COMMAND_PROTOCOLS, openCommand } from './spdy-command.ts'
import { openPorts, PORT_PROTOCOL } from './spdy-ports.ts'
import { COMMAND_FORMS, openCommandSocket } from './websocket-command.ts'
import { serveTunnel } from './tunnel.ts'
import { openPortSocket, PORT_FORMS } from './websocket-ports.ts'

/** An open session, in either protocol. */
interface Conversation {
  /** Reads the client's data to its end. */
  serve(): Promise<void>
  ping(): void
  /** Closes this side. */
  close(): void
}

/** A session in a protocol that this server supports. */
type SupportedSession = Exclude<StreamSession, { kind: 'tunnel' }>

/** The prefix of protocols that are SPDY inside of a WebSocket. */
const TUNNEL = 'SPDY/3.1+'
const SPDY = 'SPDY/3.1'
/** How long a client may take to hang up after the end of a session, in milliseconds. */
const LINGER = 10_000

/**
 * Serves a connection in the protocol that its client asks for, SPDY or a WebSocket, to its end. Where they have no
 * protocol in common, it sends nothing and resolves to an answer.
 */
export async function upgrade(session: StreamSession, to: Upgrade): Promise<ApiResponse | undefined> {
  if (session.kind === 'tunnel') return serveTunnel(session, to)
  const asked = (to.incoming.headers.upgrade ?? '').toLowerCase()
  if (asked === 'websocket') return byWebSocket(session, to)
  if (asked.includes(SPDY.toLowerCase())) return bySpdy(session, to)
  return statusAnswer(failure.badRequest('unable to upgrade: only websocket and SPDY/3.1 are supported'))
}

async function bySpdy(session: SupportedSession, to: Upgrade): Promise<ApiResponse | undefined> {
  const asked = wordsOf(to.incoming.headers['x-stream-protocol-version'])
  const spoken: readonly string[] = session.kind === 'command' ? COMMAND_PROTOCOLS : [PORT_PROTOCOL]
  const protocol = asked.length === 0 ? '' : asked.find((one) => spoken.includes(one))
  if (protocol === undefined) {
    const text = `unable to upgrade: unable to negotiate protocol: client supports [${asked.join(' ')}], server accepts [${spoken.join(' ')}]\n`
    const answer = textAnswer(403, text)
    return {
      ...answer,
      headers: { ...answer.headers, 'x-accepted-stream-protocol-versions': spoken.join(', ') },
    }
  }
  const { socket, head } = to
  const headers = {
    ...to.headers,
    connection: 'Upgrade',
    upgrade: SPDY,
    ...(protocol && { 'x-stream-protocol-version': protocol }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`HTTP/1.1 101 Switching Protocols\r\n${lines.join('')}\r\n`)
  if (head.length > 0) socket.unshift(head)
  await speakSpdy(session, socket, protocol, to)
  return undefined
}

async function speakSpdy(
  session: SupportedSession,
  duplex: Duplex,
  protocol: string,
  to: Upgrade,
): Promise<void> {
  if (session.kind === 'command') {
    const { connection, done } = openCommand(duplex, session, protocol, to.signal)
    await converse(connection, done, session.clock, to)
  } else {
    await converse(openPorts(duplex, session), undefined, session.clock, to)
  }
}

async function byWebSocket(session: SupportedSession, to: Upgrade): Promise<ApiResponse | undefined> {
  const asked = wordsOf(to.incoming.headers['sec-websocket-protocol'])
  const forms: ReadonlyMap<string, unknown> = session.kind === 'command' ? COMMAND_FORMS : PORT_FORMS
  const tunnel = session.kind === 'ports' ? TUNNEL + PORT_PROTOCOL : undefined
  const protocol = asked.length === 0 ? '' : asked.find((one) => one === tunnel || forms.has(one))
  if (protocol === undefined) {
    const spoken = [...(tunnel ? [tunnel] : []), ...forms.keys()].filter(Boolean)
    // The requested protocols may contain a token, and are not repeated.
    return textAnswer(403, `requested protocol(s) are not supported; supports [${spoken.join(' ')}]\n`)
  }
  const wrong = protocol === tunnel ? undefined : wrongPorts(session)
  if (wrong !== undefined) return statusAnswer(failure.badRequest(wrong))
  const webSocket = await acceptWebSocket(to, protocol)
  if (!webSocket) return undefined
  // An error ends the connection, which its reader sees.
  webSocket.on('error', () => undefined)
  if (protocol === tunnel) {
    const tunnelled = createWebSocketStream(webSocket)
    tunnelled.on('error', () => undefined)
    await speakSpdy(session, tunnelled, PORT_PROTOCOL, to)
    return undefined
  }
  const { connection, done } =
    session.kind === 'command'
      ? openCommandSocket(webSocket, session, protocol, to.signal)
      : openPortSocket(webSocket, session, protocol, to.signal)
  await converse(connection, done, session.clock, to)
  return undefined
}

/** Why the ports in a query cannot be forwarded. */
function wrongPorts(session: SupportedSession): string | undefined {
  if (session.kind !== 'ports') return undefined
  if (session.ports.length === 0) return 'query parameter "ports" is required'
  const wrong = session.ports.find((port) => port < 1 || port > 65_535)
  return wrong === undefined ? undefined : `port ${wrong} must be between 1 and 65535`
}

/**
 * Serves a session until it is done and the client has hung up, or until the connection is lost. `done` is the work
 * of this side; without it, the client alone ends the session.
 */
async function converse(
  conversation: Conversation,
  done: Promise<unknown> | undefined,
  clock: Clock,
  { socket, signal }: Upgrade,
): Promise<void> {
  using _beats = heartbeat(clock, () => conversation.ping())
  const destroy = (): void => void socket.destroy()
  signal.addEventListener('abort', destroy, { once: true })
  if (signal.aborted) destroy()
  const lost = conversation.serve().catch(() => undefined)
  try {
    await (done ? Promise.race([done, lost]) : lost)
    if (done) conversation.close()
    using _timeout = clock.schedule(LINGER, destroy)
    await lost
  } finally {
    signal.removeEventListener('abort', destroy)
    socket.destroy()
  }
}
