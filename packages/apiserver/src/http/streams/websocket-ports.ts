import type { WebSocket } from 'ws'
import type { StreamSession } from './stream-session.ts'
import { ChannelSocket, type ChannelForm } from './channel-socket.ts'
import { Inlet } from './spdy/intake.ts'
import { servePort } from './serve-port.ts'

type PortsSession = Extract<StreamSession, { kind: 'ports' }>

/** The versions of the old protocol for ports by the names that clients ask for. */
export const PORT_FORMS: ReadonlyMap<string, ChannelForm> = new Map([
  ['v4.channel.k8s.io', { base64: false, closes: false }],
  ['v4.base64.channel.k8s.io', { base64: true, closes: false }],
  ['', { base64: false, closes: false }],
])

/**
 * Forwards ports over a WebSocket by the old protocol. The query lists the ports. Each has one connection and two
 * channels, for data and for errors, which begin with the port's number.
 */
export function openPortSocket(
  socket: WebSocket,
  session: PortsSession,
  protocol: string,
  signal: AbortSignal,
): { readonly connection: ChannelSocket; readonly done: Promise<unknown> } {
  const connection = new ChannelSocket(socket, PORT_FORMS.get(protocol)!)
  const forwards = session.ports.map(async (port, index) => {
    const [outgoing, error] = [connection.outlet(index * 2), connection.outlet(index * 2 + 1)]
    const incoming = new Inlet()
    connection.receive(index * 2, incoming)
    const number = Uint8Array.of(port & 0xff, port >> 8)
    await outgoing.write(number)
    await error.write(number)
    await servePort(session, port, { incoming, outgoing, error }, signal)
  })
  return { connection, done: Promise.all(forwards) }
}
