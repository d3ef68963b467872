import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { HomeostatError, type ApiHandler, type ApiRequest } from '@homeostat/api'
import type { Logger } from '../../telemetry/index.ts'
import { OpenConnections } from './open-connections.ts'

interface PortOptions {
  readonly certificate: CertificateSource
  readonly port: number
  readonly host: string
}

/** Where a port gets its certificate from. */
export interface CertificateSource extends Disposable {
  /** Resolves with a pair in PEM; `renewed` is called with every later one. */
  start(renewed: (pair: { cert: string; key: string }) => void): Promise<{ cert: string; key: string }>
}

/** Webhooks that are open on a port. */
export interface OpenWebhooks {
  /** Where they answer, without a slash at the end. */
  readonly url: string
  /** Asks API servers to open a new connection for their next request, which may lead to another process. All are still answered. */
  drain(): void
  /** Accepts no new connections, answers open requests, and resolves when all connections are closed. */
  close(): Promise<void>
}

/** The longest body. A list of objects to convert may be large; other webhooks have a lower limit. */
const MOST_BYTES = 128 * 1024 * 1024

/**
 * How long an idle connection stays open, in milliseconds: longer than the 90 seconds after which an API server closes it. Otherwise an
 * API server could send a review on a connection that closes at the same moment, and would refuse the write.
 */
const IDLE_TIMEOUT = 150_000

/** Serves a handler over HTTPS. New connections get the renewed certificate; those that are open stay. */
export async function openWebhookPort(
  handler: ApiHandler,
  { certificate, port, host }: PortOptions,
  logger: Logger,
): Promise<OpenWebhooks> {
  const pair = await certificate.start((renewed) => server.setSecureContext(renewed))
  let isDraining = false
  const listener: RequestListener = (request, response) => {
    if (isDraining) response.setHeader('connection', 'close')
    answer(handler, request, response).catch((error: unknown) => {
      if (!request.destroyed) logger.error({ error }, 'a webhook could not be answered')
      response.destroy()
    })
  }
  const server = createServer({ ...pair, minVersion: 'TLSv1.2', keepAliveTimeout: IDLE_TIMEOUT }, listener)
  const connections = new OpenConnections(server)
  try {
    await listen(server, port, host)
  } catch (error) {
    certificate[Symbol.dispose]()
    throw error
  }
  const name = host.includes(':') ? `[${host}]` : host
  return {
    url: `https://${name}:${(server.address() as AddressInfo).port}`,
    drain: () => {
      isDraining = true
    },
    close: async () => {
      certificate[Symbol.dispose]()
      const closed = new Promise((resolve) => server.close(resolve))
      connections.closeUnused()
      await closed
    },
  }
}

async function answer(
  handler: ApiHandler,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => {
    if (!response.writableFinished)
      gone.abort(new HomeostatError('WEBHOOK_CALLER_GONE', 'the API server hung up'))
  })
  const body = await readAll(request)
  if (!body) {
    response.writeHead(413, { connection: 'close' }).end()
    return
  }
  const { path, query } = targetOf(request.url ?? '/')
  // The only header that Node returns as a list.
  const { 'set-cookie': _, ...headers } = request.headers
  const answered = await handler({
    method: (request.method ?? 'GET') as ApiRequest['method'],
    path,
    query,
    headers: headers as Record<string, string>,
    body,
    signal: gone.signal,
  })
  const bytes = answered.body as Uint8Array
  response.writeHead(answered.status, { ...answered.headers, 'content-length': bytes.length }).end(bytes)
}

/** The path and the query of a request's target. A client that takes this server for a proxy sends a whole URL. */
function targetOf(target: string): Pick<ApiRequest, 'path' | 'query'> {
  if (!target.startsWith('/')) {
    const { pathname, searchParams } = new URL(target, 'https://webhook')
    return { path: pathname, query: searchParams }
  }
  const end = target.indexOf('?')
  if (end < 0) return { path: target, query: new URLSearchParams() }
  return { path: target.slice(0, end), query: new URLSearchParams(target.slice(end + 1)) }
}

/** The whole body; `undefined` where it is too large. Rejects where the connection breaks before its end. */
function readAll(request: IncomingMessage): Promise<Uint8Array | undefined> {
  const chunks: Buffer[] = []
  let length = 0
  return new Promise((resolve, reject) => {
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > MOST_BYTES) {
        request.pause()
        resolve(undefined)
        return
      }
      chunks.push(chunk)
    })
    request.on('end', () => resolve(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)))
    request.on('error', reject)
  })
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'another process uses it' : cause.message
      reject(
        new HomeostatError(
          'WEBHOOK_PORT',
          `webhooks cannot be served on ${host}:${port}: ${why}. Give the webhooks another port or host`,
          { cause },
        ),
      )
    })
    server.listen(port, host, resolve)
  })
}
