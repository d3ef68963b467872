import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { SystemClock, type ApiRequest, type Clock, type Duration } from '@homeostat/api'
import { onTestFinished } from 'vitest'
import type { ClusterConfig } from '../src/configuration/cluster-config.ts'
import { networkTransport } from '../src/connection/network-transport.ts'
import { readBody } from '../src/transport/read-body.ts'
import type { Transport } from '../src/transport/transport.ts'
import * as certificates from './certificates.ts'

type Handle = (request: http.IncomingMessage, response: http.ServerResponse) => void

/** A server for one test, over TLS by default, and the configuration of a client for it. */
export async function serve(
  handle: Handle,
  options: { certificate?: { cert: string; key: string }; plain?: boolean; clientCa?: string } = {},
): Promise<{ config: ClusterConfig; server: http.Server | https.Server; connections: () => number }> {
  const server = options.plain
    ? http.createServer(handle)
    : https.createServer(
        {
          ...(options.certificate ?? certificates.server),
          ...(options.clientCa && { ca: options.clientCa, requestCert: true, rejectUnauthorized: true }),
        },
        handle,
      )
  let connections = 0
  server.on(options.plain ? 'connection' : 'secureConnection', () => connections++)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    return new Promise((resolve) => void server.close(() => resolve()))
  })
  const { port } = server.address() as AddressInfo
  return {
    server,
    connections: () => connections,
    config: {
      server: `${options.plain ? 'http' : 'https'}://127.0.0.1:${port}`,
      tls: { ca: certificates.ca },
      namespace: 'default',
      source: 'a test',
    },
  }
}

export function transportTo(
  config: ClusterConfig,
  clock: Clock = new SystemClock(),
  requestTimeout?: Duration,
): Transport {
  const transport = networkTransport(config, { clock, requestTimeout })
  onTestFinished(() => transport.close())
  return transport
}

export function get(path: string, rest: Partial<ApiRequest> = {}): ApiRequest {
  return { method: 'GET', path, query: new URLSearchParams(), headers: {}, ...rest }
}

/** Requests of the pool, and requests with their own connection: tests of failures run with both. */
export const WAYS = [
  ['a request', ''],
  ['a watch', 'watch=true'],
] as const

/** Returns a function that sends requests in one of the ways. */
export function asking(query: string): typeof get {
  return (path, rest) => get(path, { query: new URLSearchParams(query), ...rest })
}

export async function text(transport: Transport, request: ApiRequest): Promise<string> {
  return new TextDecoder().decode(await readBody(await transport.send(request)))
}
