import type { Duplex } from 'node:stream'
import type { StreamSession } from './stream-session.ts'
import { servePort } from './serve-port.ts'
import { SpdyConnection, SpdyError, type SpdyStream } from './spdy/index.ts'

type PortsSession = Extract<StreamSession, { kind: 'ports' }>

/** The protocol of port forwarding, as clients name it. */
export const PORT_PROTOCOL = 'portforward.k8s.io'

const LARGEST_PORT = 65_535

/**
 * Opens a connection that forwards ports of a Pod. For each forwarded connection the client opens a pair of streams
 * with the same number: one for errors and one for data.
 */
export function openPorts(duplex: Duplex, session: PortsSession): SpdyConnection {
  /** Streams whose pair is not open yet, by request and type. */
  const halves = new Map<string, { readonly type: string; readonly stream: SpdyStream }>()
  return new SpdyConnection(duplex, (stream) => {
    const type = stream.headers.get('streamtype') ?? ''
    const port = Number(stream.headers.get('port'))
    if (type !== 'error' && type !== 'data')
      throw new SpdyError(`a stream of the type ${type} is not expected`)
    if (!Number.isInteger(port) || port < 1 || port > LARGEST_PORT)
      throw new SpdyError(`${port} is not a port`)
    // Old clients do not number requests: there, each port has one.
    const request = stream.headers.get('requestid') ?? `port ${port}`
    const half = halves.get(request)
    if (half?.type === type) throw new SpdyError(`a second ${type} stream for the request ${request}`)
    if (!half) {
      halves.set(request, { type, stream })
      stream.signal.addEventListener('abort', () => halves.delete(request), { once: true })
      return undefined
    }
    halves.delete(request)
    const [data, error] = type === 'data' ? [stream, half.stream] : [half.stream, stream]
    return () => {
      void servePort(session, port, { incoming: data.incoming, outgoing: data, error }, data.signal)
    }
  })
}
