import type { IncomingMessage } from 'node:http'
import type { Server, ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import {
  checkOptionNames,
  HomeostatError,
  optionNames,
  type ApiRequest,
  type ApiResponse,
  type Clock,
} from '@homeostat/api'
import type { CertificateUser, User } from '../auth/index.ts'
import {
  CertificateAuthority,
  type Certificate,
  type CertificateRequest,
  type Validity,
} from '../certificates/index.ts'
import { ClientCertificates } from './client-certificate.ts'
import { FrontProxy, type FrontProxyOptions } from './front-proxy.ts'
import { Connections } from './connections.ts'
import { kubeconfigText } from './kubeconfig.ts'
import { isParserFault, refuseUnreadable } from './port-problems.ts'
import { serve, serveUpgrade, type RequestServing } from './serve-request.ts'

/** Where a port is opened. */
export interface PortOptions {
  /** Default: 0, any free port. */
  readonly port?: number | undefined
  /** Default: `127.0.0.1`, which only this machine reaches. */
  readonly host?: string | undefined
  /**
   * How long a client may take to send a request, or to continue reading an answer, in milliseconds; then the
   * server closes its connection. Default: 60,000.
   */
  readonly idleTimeout?: number | undefined
  /** Further names and addresses by which clients reach the port, for its certificate. Default: none. */
  readonly names?: readonly string[] | undefined
  /** The port's certificate and key, in PEM. Default: a certificate that an authority made for this port signs. */
  readonly tls?: Certificate | undefined
  /** Further authorities, in PEM, whose client certificates the port accepts, besides its own. Default: none. */
  readonly clientAuthorities?: string | undefined
  /** A proxy in front of the port, which authenticates users and names them in headers. Default: none. */
  readonly frontProxy?: FrontProxyOptions | undefined
  /**
   * Called when a connection breaks because of a problem in the server, not in the client or the network. The error
   * names the request if there is one. Default: such errors are ignored.
   */
  readonly onProblem?: ((problem: HomeostatError) => void) | undefined
}

const PORT_OPTIONS = optionNames<PortOptions>('ApiServer.listen', {
  port: true,
  host: true,
  idleTimeout: true,
  names: true,
  tls: true,
  clientAuthorities: true,
  frontProxy: true,
  onProblem: true,
})

/** The parts of its server that a port needs. */
export interface PortServer {
  readonly handler: PortHandler
  /** The bearer token of the administrator. */
  readonly token: string
  /** The clock for the validity of client certificates, besides the machine's own time. */
  readonly clock: Clock
  /**
   * Whether requests to a path are passed on to another server: the port does not read their bodies, which may have
   * any length. Default: none.
   */
  readonly passesOn?: ((path: string) => boolean) | undefined
  /** The authority of the port's certificate and of client certificates. Default: one that is made for this port. */
  readonly authority?: CertificateAuthority | undefined
  /** Whether long answers are compressed for clients that accept it. Default: true. */
  readonly compresses?: boolean | undefined
}

/** Answers a request that came through a port, from the user that the connection's certificate names. */
export type PortHandler = (request: ApiRequest, certificate: CertificateUser) => Promise<ApiResponse>

/** A port that serves the API over HTTPS. */
export interface ApiPort extends AsyncDisposable {
  /** `https://127.0.0.1:6443`. */
  readonly url: string
  readonly port: number
  /**
   * The port of the previous server on the same data folder, if it was another one: older kubeconfigs still name
   * it.
   */
  readonly formerPort?: number | undefined
  /** The bearer token of the administrator: a client that sends it has all rights. */
  readonly token: string
  /** The certificate that a client has to trust, in PEM: the port's authority, or the given certificate. */
  readonly certificateAuthority: string
  /** A certificate, by the port's own authority, that logs a client in as a user. */
  clientCertificate(user: Pick<User, 'name' | 'groups'>, validity?: Validity): Promise<Certificate>
  /**
   * Signs a certificate request by the port's own authority, for any subject: with the usage `client auth` its owner can log in
   * as the subject. Resolves to the certificate, in PEM.
   */
  signCertificate(
    request: CertificateRequest,
    options: { readonly usages: readonly string[]; readonly validity: Validity },
  ): Promise<string>
  /** The text of a kubeconfig file for this port. */
  kubeconfig(): string
  /** Ends running requests and closes the port. */
  close(): Promise<void>
}

/** The longest headers of a request, with its URL, in bytes: the limit of Go's server with its slack. */
const HEADER_LIMIT = 1024 * 1024 + 4096

const IDLE_TIMEOUT = 60_000

/** Opens a port for a handler. Fails with `PORT_IN_USE` when another program has it. */
export async function openPort(
  { handler, token, clock, passesOn = () => false, compresses = true, ...given }: PortServer,
  options: PortOptions = {},
): Promise<ApiPort> {
  checkOptionNames(options, PORT_OPTIONS)
  const host = options.host ?? '127.0.0.1'
  const { idleTimeout = IDLE_TIMEOUT, clientAuthorities } = options
  const authority = given.authority ?? (await CertificateAuthority.create())
  const clients = [authority.certificate, ...(clientAuthorities ? [clientAuthorities] : [])]
  const now = (): number => clock.now()
  const certificates = new ClientCertificates(now, options.frontProxy && clients)
  const proxy =
    options.frontProxy &&
    new FrontProxy(options.frontProxy, new ClientCertificates(now, [options.frontProxy.authorities]))
  const serving: RequestServing = {
    handle(request, socket) {
      const named = proxy?.userOf(socket, request)
      return proxy && named
        ? handler(proxy.withoutNames(request), named)
        : handler(request, certificates.userOf(socket))
    },
    isRepeated: proxy?.isRepeated,
    passesOn,
    idleTimeout,
    compresses,
    onProblem: options.onProblem ?? (() => undefined),
  }
  // An import would also load Node's `fetch` with all of its parts.
  const { createServer } = process.getBuiltinModule('node:https')
  const tls = options.tls ?? (await authority.forServer(host, options.names))
  const trusted = options.tls ? options.tls.certificate : authority.certificate
  const authorities = options.frontProxy ? [...clients, options.frontProxy.authorities] : clients
  const server = createServer(serverOptions(tls, authorities, idleTimeout), (incoming, outgoing) =>
    connections.take(incoming, outgoing, (signal) => serve(serving, incoming, outgoing, signal)),
  )
  // Node would not answer a request with too many headers; `serve` refuses it.
  server.maxHeadersCount = 0
  readByEvents(server)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (isParserFault(error)) {
      const message = `the HTTP parser failed with ${error.code}: ${error.message}`
      serving.onProblem(new HomeostatError('PORT_PARSER', message, { cause: error }))
    }
    refuseUnreadable(error, socket, connections.isAnswering(socket as TLSSocket))
  })
  const connections = new Connections(server)
  server.on('upgrade', (incoming: IncomingMessage, _socket, head) => {
    const socket = incoming.socket as TLSSocket
    connections.takeOver(socket, (signal) => serveUpgrade(serving, { incoming, socket, head, signal }))
  })
  const port = await listen(server, host, options.port ?? 0)
  const url = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  const close = async (): Promise<void> => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()))
    await connections.close()
    await closed
  }
  return {
    url,
    port,
    token,
    certificateAuthority: trusted,
    clientCertificate: (user, validity) => authority.forClient(user, validity),
    signCertificate: (request, signing) => authority.sign(request, signing),
    kubeconfig: () => kubeconfigText({ url, authority: trusted, token }),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function serverOptions(tls: Certificate, authorities: readonly string[], idleTimeout: number): ServerOptions {
  return {
    key: tls.key,
    cert: tls.certificate,
    // A certificate is optional, since a token is enough; one that is shown must be valid.
    ca: [...authorities],
    requestCert: true,
    rejectUnauthorized: false,
    keepAlive: true,
    keepAliveTimeout: 120_000,
    handshakeTimeout: idleTimeout,
    headersTimeout: idleTimeout,
    // `limitReading` limits the body. A body that is passed on may take any time.
    requestTimeout: 0,
    connectionsCheckingInterval: Math.ceil(idleTimeout / 4),
    maxHeaderSize: HEADER_LIMIT,
  }
}

/**
 * Feeds the HTTP parser by events of the socket. By default Node feeds it from the TLS layer itself, which continues
 * after the parser was paused: a long request that arrives before the last answer has drained then fails with
 * `HPE_PAUSED`, and its connection is reset. Any listener for the socket's data switches to events.
 */
function readByEvents(server: Server): void {
  const listener = (): void => undefined
  server.on('secureConnection', (socket) => void socket.on('data', listener).off('data', listener))
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (cause.code === 'EADDRINUSE') {
        const message = `port ${port} on ${host} is in use by another program: stop it, or choose another port (0 means any free port)`
        reject(new HomeostatError('PORT_IN_USE', message, { cause }))
      } else {
        const message = `cannot listen on ${host}:${port}: ${cause.message}. Choose another address or port`
        reject(new HomeostatError('PORT_NOT_OPEN', message, { cause }))
      }
    })
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}
