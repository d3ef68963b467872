import type { Socket } from 'node:net'
import type { Clock } from '@homeostat/api'
import { explainFailure } from './explain-failure.ts'
import { nodeModules } from '../process/index.ts'
import { TransportError } from '../transport/index.ts'

export interface TunnelOptions {
  readonly proxy: URL
  readonly host: string
  readonly port: number
  /** The server, for messages. */
  readonly server: string
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** After this long without an answer, the proxy counts as unreachable. */
const TUNNEL_MILLISECONDS = 30_000

/** A connection through an HTTP proxy (CONNECT). No message shows the proxy's user and password. */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy, host, port, server, clock, signal } = options
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  return new Promise((resolve, reject) => {
    const asked = (proxy.protocol === 'https:' ? nodeModules.https : nodeModules.http).request({
      method: 'CONNECT',
      hostname: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (proxy.protocol === 'https:' ? 443 : 80),
      path: authority,
      agent: false,
      signal,
      headers: {
        host: authority,
        ...(proxy.username && {
          'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}`,
        }),
      },
    })
    const timer = clock.schedule(TUNNEL_MILLISECONDS, () => {
      asked.destroy(Object.assign(new Error('no answer'), { code: 'ETIMEDOUT' }))
    })
    asked.on('connect', (response, socket, head) => {
      timer.cancel()
      if (response.statusCode === 200) {
        if (head.byteLength > 0) socket.unshift(head)
        resolve(socket)
        return
      }
      socket.destroy()
      reject(refusal(server, proxy.host, response.statusCode ?? 0))
    })
    asked.on('error', (error) => {
      timer.cancel()
      reject(signal.aborted ? signal.reason : explainFailure(server, error, proxy.host))
    })
    asked.end()
  })
}

function refusal(server: string, proxy: string, status: number): TransportError {
  const remedy =
    status === 407
      ? 'Give the user and password that it asks for in the address: http://user:password@host:port'
      : 'Ask its administrator to allow this address, or connect without the proxy (NO_PROXY)'
  return new TransportError(
    'TRANSPORT_PROXY_REFUSED',
    `the proxy ${proxy} refused to connect to ${server} (${status}). ${remedy}.`,
  )
}
