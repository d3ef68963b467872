import http from 'node:http'
import https from 'node:https'
import { pipeline } from 'node:stream'
import { createSecureContext, type SecureContext } from 'node:tls'
import { createGunzip } from 'node:zlib'
import type { ApiRequest, ApiResponse, Clock } from '@homeostat/api'
import { authorization } from './authorization.ts'
import { BodyStream } from './body-stream.ts'
import type { ClusterConfig } from './cluster-config.ts'
import { ConfigError } from './config-error.ts'
import { isEndless } from './is-endless.ts'
import { explainFailure } from './explain-failure.ts'
import { TransportError } from './transport-error.ts'
import type { Transport } from './transport.ts'

/** A server that has not accepted a connection by then is not there. */
const CONNECT_MILLISECONDS = 30_000
/** API servers end a request that is no watch after 60 s: no answer by then means that none will come. */
const ANSWER_MILLISECONDS = 75_000
/** API servers close idle connections after 90 s: ours end before, so that no request meets a closed one. */
const IDLE_MILLISECONDS = 60_000
/** When the system starts to ask a silent peer whether it is there; about 10 s later it is given up. */
const KEEP_ALIVE_MILLISECONDS = 30_000

/**
 * Carries requests over the network, on one pool of connections. The server's certificate is verified
 * against the configuration's CA. A body that is being read has no time limit: TCP keep-alive finds a
 * peer that is gone.
 */
export function networkTransport(config: ClusterConfig, options: { clock: Clock }): Transport {
  const { clock } = options
  const base = new URL(config.server)
  const basePath = base.pathname.replace(/\/+$/, '')
  const authorize = authorization(config, clock)
  const always = constantHeaders(config)
  const { agent, request: open } = poolFor(config, base)
  const underWay = new Set<(error: TransportError) => void>()
  let closed = false

  async function send(request: ApiRequest): Promise<ApiResponse> {
    if (closed) throw closedError(config.server)
    request.signal?.throwIfAborted()
    try {
      return await attempt(request)
    } catch (error) {
      // A pooled connection that the server closed at this very moment: nothing was answered, so what
      // changes nothing is asked again, once, on a new one.
      if (error instanceof StaleConnection) {
        if (request.method === 'GET' || request.method === 'HEAD') return attempt(request)
        throw explainFailure(config.server, error.cause)
      }
      throw error
    }
  }

  function attempt(request: ApiRequest): Promise<ApiResponse> {
    const header = authorize()
    const query = request.query.toString()
    const work = clock.busy(`${request.method} ${request.path}`)
    return new Promise((resolve, reject) => {
      const outgoing = open({
        agent,
        method: request.method,
        hostname: base.hostname.replace(/^\[|\]$/g, ''),
        port: base.port === '' ? undefined : base.port,
        path: `${basePath}${request.path}${query && `?${query}`}`,
        maxHeaderSize: 65_536,
        headers: {
          ...always,
          ...(header !== undefined && { authorization: header }),
          ...request.headers,
          ...(request.body && { 'content-length': String(request.body.byteLength) }),
        },
      })
      let body: BodyStream | undefined
      const answerTimer = clock.schedule(ANSWER_MILLISECONDS, () => {
        outgoing.destroy(timeoutError(config.server, ANSWER_MILLISECONDS))
      })
      const abort = (): void => stop(request.signal?.reason)
      const stop = (error: unknown): void => {
        if (body) body.stop(request.signal?.aborted ? undefined : error)
        finish()
        reject(error)
        outgoing.destroy()
      }
      const finish = (): void => {
        answerTimer.cancel()
        work.end()
        underWay.delete(stop)
        request.signal?.removeEventListener('abort', abort)
      }
      underWay.add(stop)
      request.signal?.addEventListener('abort', abort, { once: true })

      outgoing.on('socket', (socket) => {
        socket.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS)
        if (!socket.connecting) return
        const connectTimer = clock.schedule(CONNECT_MILLISECONDS, () => {
          outgoing.destroy(timeoutError(config.server, CONNECT_MILLISECONDS))
        })
        socket.once('connect', () => connectTimer.cancel())
        socket.once('close', () => connectTimer.cancel())
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        if (body) return
        finish()
        if (error instanceof TransportError) reject(error)
        else if (outgoing.reusedSocket && isReset(error))
          reject(new StaleConnection('stale', { cause: error }))
        else reject(explainFailure(config.server, error))
      })
      outgoing.on('response', (incoming) => {
        answerTimer.cancel()
        incoming.on('error', () => {}) // told by the iterator, where someone reads
        if (isEndless(request)) work.end()
        body = new BodyStream(chunksOf(incoming), {
          onEnd: () => {
            finish()
            if (!incoming.complete) outgoing.destroy()
          },
          explain: (error) => explainFailure(config.server, error),
        })
        resolve({ status: incoming.statusCode!, headers: headersOf(incoming), body })
      })
      outgoing.end(request.body)
    })
  }

  async function close(): Promise<void> {
    closed = true
    for (const stop of underWay) stop(closedError(config.server))
    agent.destroy()
  }

  return { server: config.server, send, close, [Symbol.asyncDispose]: close }
}

/** The connection was an idle one of the pool, and gone. */
class StaleConnection extends Error {}

function isReset(error: NodeJS.ErrnoException): boolean {
  return error.code === 'ECONNRESET' || error.code === 'EPIPE'
}

interface Pool {
  readonly agent: http.Agent
  readonly request: (options: https.RequestOptions) => http.ClientRequest
}

function poolFor(config: ClusterConfig, base: URL): Pool {
  const pooling: http.AgentOptions = {
    keepAlive: true,
    keepAliveMsecs: KEEP_ALIVE_MILLISECONDS,
    timeout: IDLE_MILLISECONDS,
    scheduling: 'lifo',
  }
  if (base.protocol === 'http:') return { agent: new http.Agent(pooling), request: http.request }
  const agent = new https.Agent({
    ...pooling,
    secureContext: secureContext(config),
    rejectUnauthorized: !config.tls.insecureSkipVerify,
    ...(config.tls.serverName !== undefined && { servername: config.tls.serverName }),
  })
  return { agent, request: https.request }
}

function secureContext(config: ClusterConfig): SecureContext {
  const { ca, cert, key } = config.tls
  try {
    return createSecureContext({ ca, cert, key, minVersion: 'TLSv1.2' })
  } catch (cause) {
    throw new ConfigError(
      'CONFIG_INVALID',
      `the certificates of ${config.source} cannot be used: ${(cause as Error).message}. Check that the client certificate and key belong together, or fetch the kubeconfig again.`,
      { cause },
    )
  }
}

function constantHeaders(config: ClusterConfig): Record<string, string | readonly string[]> {
  const { impersonate } = config
  return {
    'user-agent': 'homeostat',
    'accept-encoding': 'gzip',
    ...(impersonate && {
      'impersonate-user': impersonate.user,
      ...(impersonate.uid !== undefined && { 'impersonate-uid': impersonate.uid }),
      ...(impersonate.groups?.length && { 'impersonate-group': impersonate.groups }),
    }),
  }
}

function chunksOf(incoming: http.IncomingMessage): AsyncIterator<Uint8Array> {
  if (incoming.headers['content-encoding'] !== 'gzip') return incoming[Symbol.asyncIterator]()
  // What breaks off in the middle reaches the reader as the error of the unpacked stream.
  return pipeline(incoming, createGunzip(), () => {})[Symbol.asyncIterator]()
}

function headersOf(incoming: http.IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  if (headers['content-encoding'] === 'gzip') {
    delete headers['content-encoding']
    delete headers['content-length']
  }
  return headers
}

function timeoutError(server: string, milliseconds: number): TransportError {
  return new TransportError(
    'TRANSPORT_TIMEOUT',
    `the server ${server} did not answer within ${milliseconds / 1000} s. Check the network and whether the API server is overloaded.`,
  )
}

function closedError(server: string): TransportError {
  return new TransportError(
    'TRANSPORT_CLOSED',
    `the connection to ${server} was closed by this process. Make a new transport to go on.`,
  )
}
