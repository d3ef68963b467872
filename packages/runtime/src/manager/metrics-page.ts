import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HomeostatError, type Clock } from '@homeostat/api'
import type { MetricsRegistry } from '../telemetry/metrics.ts'

export interface MetricsPageOptions {
  /** 0 takes a free one. */
  readonly port: number
  /** Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string | undefined
}

/** A page at `/metrics` for Prometheus to read. */
export interface MetricsPage extends AsyncDisposable {
  readonly url: string
}

/** Opens the page. Rejects with a `HomeostatError` with code `METRICS_PORT` when the port cannot be had. */
export async function openMetricsPage(
  registry: MetricsRegistry,
  options: MetricsPageOptions,
  clock: Clock,
): Promise<MetricsPage> {
  const host = options.host ?? '127.0.0.1'
  const server = createServer((request, response) => {
    const path = request.url?.split('?', 1)[0]
    if (path !== '/metrics') {
      response
        .writeHead(404, { 'content-type': 'text/plain; charset=utf-8' })
        .end('The page is at /metrics.\n')
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
    } else {
      response
        .writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' })
        .end(registry.page())
    }
  })
  using _ = clock.busy('opening the metrics page')
  await listen(server, options.port, host)
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/metrics`,
    async [Symbol.asyncDispose]() {
      using _ = clock.busy('closing the metrics page')
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE'
          ? 'another process uses it. Stop that, or give the option metrics another port'
          : `${cause.message}. Give the option metrics another port or host`
      reject(
        new HomeostatError('METRICS_PORT', `the metrics page cannot be opened on ${host}:${port}: ${why}.`, {
          cause,
        }),
      )
    })
    server.listen(port, host, resolve)
  })
}
