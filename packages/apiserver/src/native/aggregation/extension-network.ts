import { request as send, type IncomingMessage } from 'node:http'
import { Agent, type AgentOptions } from 'node:https'
import { Duplex } from 'node:stream'
import type { ConnectionOptions } from 'node:tls'
import type { FrontProxyIdentity } from '../../certificates/index.ts'
import type { Endpoint } from '../../upstream/index.ts'
import type { ProxyConnect } from '../pod-runner/proxy-connect.ts'
import { socketOf, type PassedRequest } from '../proxy/pass-request.ts'
import { serverName, type Extension } from './extension.ts'

/** The longest document that is read of an extension API server: reading it may hold up other requests. */
const LONGEST_DOCUMENT = 8 * 1024 * 1024
/** The most idle connections that are kept for each server. */
const MOST_IDLE = 8

/** A document of an extension API server. */
export interface ExtensionDocument {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/**
 * Connections to extension API servers, by TLS and with the certificate by which this server names users. They are kept open as long as
 * their APIService stays as it is.
 */
export class ExtensionNetwork {
  readonly #connect: ProxyConnect | undefined
  readonly #identity: FrontProxyIdentity
  readonly #agents = new Map<string, Agent>()

  constructor(connect: ProxyConnect | undefined, identity: FrontProxyIdentity) {
    this.#connect = connect
    this.#identity = identity
  }

  /** How a request reaches an extension API server at one of its addresses. */
  way(extension: Extension, { address, port }: Endpoint): PassedRequest['to'] {
    return { protocol: 'https:', agent: this.#agentFor(extension), host: address, port }
  }

  /** Asks for a document. Rejects where the server does not answer in time, or with too much. */
  async get(
    extension: Extension,
    endpoint: Endpoint,
    request: {
      readonly path: string
      readonly headers: Readonly<Record<string, string | string[]>>
      readonly timeout: number
    },
  ): Promise<ExtensionDocument> {
    const { path, headers, timeout } = request
    const { promise, resolve, reject } = Promise.withResolvers<ExtensionDocument>()
    const signal = AbortSignal.timeout(timeout)
    const outgoing = send({ ...this.way(extension, endpoint), path, headers, signal })
    outgoing.on('error', reject)
    outgoing.on('response', (incoming) => {
      const chunks: Buffer[] = []
      let length = 0
      incoming.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length <= LONGEST_DOCUMENT) return void chunks.push(chunk)
        incoming.destroy(new Error(`the document at ${path} is longer than ${LONGEST_DOCUMENT} bytes`))
      })
      incoming.on('error', reject)
      incoming.on('end', () =>
        resolve({
          status: incoming.statusCode ?? 0,
          headers: incoming.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    outgoing.end()
    return promise
  }

  /** Closes the connections to a server that is no longer reached in this way. */
  forget({ name }: Extension): void {
    this.#agents.get(name)?.destroy()
    this.#agents.delete(name)
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy()
    this.#agents.clear()
  }

  #agentFor(extension: Extension): Agent {
    const known = this.#agents.get(extension.name)
    if (known) return known
    const { authorities: ca, insecure } = extension
    const options: AgentOptions = {
      keepAlive: true,
      maxFreeSockets: MOST_IDLE,
      servername: serverName(extension),
      rejectUnauthorized: !insecure,
      cert: this.#identity.certificate,
      key: this.#identity.key,
      // As in Go, a bundle may hold the serving certificate itself in place of its authority.
      ...(ca !== undefined && { ca, allowPartialTrustChain: true }),
    }
    const agent = this.#connect ? new ClusterAgent(this.#connect, options) : new Agent(options)
    this.#agents.set(extension.name, agent)
    return agent
  }
}

/** Connects through the cluster's own network. */
class ClusterAgent extends Agent {
  readonly #connect: ProxyConnect

  constructor(connect: ProxyConnect, options: AgentOptions) {
    super(options)
    this.#connect = connect
  }

  override createConnection(
    options: ConnectionOptions & { host?: string | null; port?: string | number | null },
    created?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    void this.#open(options).then(
      (socket) => created?.(null, socket),
      // The socket is not used where there is an error.
      (error: Error) => created?.(error, new Duplex()),
    )
  }

  async #open(
    options: ConnectionOptions & { host?: string | null; port?: string | number | null },
  ): Promise<Duplex> {
    const { readable, writable } = await this.#connect(options.host ?? '', Number(options.port))
    return socketOf(readable, writable, options)
  }
}
