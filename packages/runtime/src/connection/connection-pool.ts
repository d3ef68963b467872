import type http from 'node:http'
import type https from 'node:https'
import type { Socket } from 'node:net'
import type { ConnectionOptions, SecureContext } from 'node:tls'
import type { Duplex } from 'node:stream'
import type { Clock } from '@homeostat/api'
import { type ClusterConfig, ConfigError, type Credentials, execError } from '../configuration/index.ts'
import { nodeModules } from '../process/index.ts'
import { openTunnel } from './open-tunnel.ts'

/** API servers close idle connections after 90 s. Ours end earlier, so that no request is sent on a closed one. */
const IDLE_MILLISECONDS = 60_000
/** When the system starts to probe a silent peer; about 10 s later it closes the connection. */
export const KEEP_ALIVE_MILLISECONDS = 30_000

/** A TLS record has at most 16 KiB, and one read rarely returns more than four. */
const RECEIVE_BYTES = 65_536

type Connected = (error: Error | null, socket: Duplex) => void

/**
 * The connections to one server as one user. A client certificate belongs to a connection: after it was renewed, new
 * connections are opened, and the old ones only finish their requests.
 */
export class ConnectionPool {
  readonly #config: ClusterConfig
  readonly #base: URL
  readonly #clock: Clock
  readonly #closing = new AbortController()
  readonly #retired = new Set<http.Agent>()
  readonly #host: string
  #trust: ConnectionOptions = {}
  #agent: http.Agent
  #cert: string | undefined

  constructor(config: ClusterConfig, clock: Clock) {
    this.#config = config
    this.#base = new URL(config.server)
    this.#host = this.#base.hostname.replace(/^\[|\]$/g, '')
    this.#clock = clock
    this.#agent = this.#makeAgent({})
  }

  /** Begins a request on a free connection, or a new one. */
  request(credentials: Credentials, options: http.RequestOptions): http.ClientRequest {
    if (credentials.cert !== this.#cert) this.#replaceAgent(credentials)
    const secure = this.#base.protocol === 'https:'
    return (secure ? nodeModules.https : nodeModules.http).request({
      ...options,
      agent: this.#agent,
      hostname: this.#host,
      port: this.#base.port === '' ? undefined : this.#base.port,
    })
  }

  /**
   * A connection for one request alone, outside of the pool. `receive` gets the bytes in a buffer that is reused when
   * it has returned. When it returns false, it gets no more bytes until the socket is resumed.
   */
  async connect(credentials: Credentials, receive: (bytes: Uint8Array) => boolean): Promise<Socket> {
    if (credentials.cert !== this.#cert) this.#replaceAgent(credentials)
    const plain = this.#base.protocol === 'http:'
    const at = { host: this.#host, port: Number(this.#base.port) || (plain ? 80 : 443) }
    const secure = { ...this.#trust, ...at, servername: this.#serverName, ALPNProtocols: ['http/1.1'] }
    const onread = {
      buffer: new Uint8Array(RECEIVE_BYTES),
      callback: (length: number, bytes: Uint8Array) => receive(bytes.subarray(0, length)),
    }
    const { tls } = nodeModules
    if (this.#config.proxy === undefined) {
      if (plain) return nodeModules.net.connect({ ...at, onread })
      return tls.connect({ ...secure, onread } as ConnectionOptions)
    }
    const tunnel = await openTunnel({
      proxy: new URL(this.#config.proxy),
      ...at,
      server: this.#config.server,
      clock: this.#clock,
      signal: this.#closing.signal,
    })
    // Node reads an existing connection only through streams.
    const socket = plain ? tunnel : tls.connect({ ...secure, socket: tunnel })
    socket.on('data', (bytes) => {
      if (!receive(bytes)) socket.pause()
    })
    return socket
  }

  close(reason: Error): void {
    this.#closing.abort(reason)
    for (const agent of [this.#agent, ...this.#retired]) agent.destroy()
  }

  #replaceAgent(credentials: Credentials): void {
    const agent = this.#makeAgent(credentials)
    for (const free of Object.values(this.#agent.freeSockets)) {
      for (const socket of free ?? []) socket.destroy()
    }
    for (const agent of this.#retired) {
      if (Object.keys(agent.sockets).length === 0) this.#retired.delete(agent)
    }
    this.#retired.add(this.#agent)
    this.#agent = agent
    this.#cert = credentials.cert
  }

  #makeAgent(credentials: Credentials): http.Agent {
    const pooling: https.AgentOptions = {
      keepAlive: true,
      keepAliveMsecs: KEEP_ALIVE_MILLISECONDS,
      timeout: IDLE_MILLISECONDS,
      scheduling: 'lifo',
    }
    const plain = this.#base.protocol === 'http:'
    const { serverName: servername, insecureSkipVerify } = this.#config.tls
    this.#trust = plain
      ? {}
      : { secureContext: secureContext(this.#config, credentials), rejectUnauthorized: !insecureSkipVerify }
    const agent = plain
      ? new nodeModules.http.Agent(pooling)
      : new nodeModules.https.Agent({
          ...pooling,
          ...this.#trust,
          ...(servername !== undefined && { servername }),
        })
    if (this.#config.proxy !== undefined) this.#tunnel(agent, new URL(this.#config.proxy), plain)
    return agent
  }

  /** The server name for TLS (SNI), which the certificate must contain. */
  get #serverName(): string {
    return this.#config.tls.serverName ?? (nodeModules.net.isIP(this.#host) ? '' : this.#host)
  }

  /** Makes an agent connect through a proxy. */
  #tunnel(agent: http.Agent, proxy: URL, plain: boolean): void {
    const connect = agent.createConnection.bind(agent)
    agent.createConnection = (options, callback) => {
      const connected = callback as Connected
      openTunnel({
        proxy,
        host: options.host ?? this.#base.hostname,
        port: Number(options.port),
        server: this.#config.server,
        clock: this.#clock,
        signal: this.#closing.signal,
      }).then(
        (socket) => connected(null, plain ? socket : connect({ ...options, socket } as typeof options)!),
        (error: Error) => connected(error, undefined as never),
      )
      return undefined
    }
  }
}

function secureContext(config: ClusterConfig, credentials: Credentials): SecureContext {
  const { ca } = config.tls
  const { cert, key } = credentials.cert === undefined ? config.tls : credentials
  try {
    // As Go's clients do, it trusts a certificate that the configuration names although another authority has signed it.
    const trust = { ca, allowPartialTrustChain: true }
    return nodeModules.tls.createSecureContext({ ...trust, cert, key, minVersion: 'TLSv1.2' })
  } catch (cause) {
    const why = (cause as Error).message
    if (credentials.cert !== undefined && config.exec) {
      throw execError(
        config.exec,
        `printed a client certificate and key that cannot be used: ${why}`,
        'Update the program',
        { cause },
      )
    }
    throw new ConfigError(
      'CONFIG_INVALID',
      `the certificates of ${config.source} cannot be used: ${why}. Check that the client certificate and key belong together, or fetch the kubeconfig again.`,
      { cause },
    )
  }
}
