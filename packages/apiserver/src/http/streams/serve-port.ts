import type { PortConnection, StreamSession } from './stream-session.ts'
import { writableOf, type Inlet, type Outlet } from './spdy/intake.ts'

type PortsSession = Extract<StreamSession, { kind: 'ports' }>

/** One connection to a port of a Pod. */
export interface PortChannels {
  readonly incoming: Inlet
  readonly outgoing: Outlet
  /** The stream for the reason, as plain text, when there is no connection. */
  readonly error: Outlet
}

/**
 * Joins one connection of the client with a port of the Pod, until the Pod's side ends or the signal aborts. Only a
 * failure to connect is reported as an error, since a client closes all of its connections after an error.
 */
export async function servePort(
  session: PortsSession,
  port: number,
  channels: PortChannels,
  signal: AbortSignal,
): Promise<void> {
  const { incoming, outgoing, error } = channels
  try {
    const connection = await session.connect(port, signal)
    await join(connection, channels, signal)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    const message = `error forwarding port ${port} to pod ${session.request.name}, uid : ${why}`
    if (!signal.aborted) await error.write(Buffer.from(message))
  } finally {
    incoming.end()
    outgoing.end()
    error.end()
  }
}

/** Never rejects: a broken connection counts as ended. */
async function join(
  connection: PortConnection,
  { incoming, outgoing }: PortChannels,
  signal: AbortSignal,
): Promise<void> {
  const close = (): void => connection.close()
  signal.addEventListener('abort', close, { once: true })
  if (signal.aborted) close()
  // The Pod may stop reading and still send: then the client's data is discarded.
  incoming.readable.pipeTo(connection.writable).catch(() => undefined)
  await connection.readable.pipeTo(writableOf(outgoing)).catch(() => undefined)
  signal.removeEventListener('abort', close)
  close()
}
