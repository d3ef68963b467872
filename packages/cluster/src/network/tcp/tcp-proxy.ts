import { connect, createServer, type Server, type Socket } from 'node:net'
import { HomeostatError } from '@homeostat/api'
import type { SocketAddress } from '../addresses/index.ts'

/** A possible target of a connection. */
export interface Choice {
  readonly address: SocketAddress
  /** Called when the connection is made. */
  connected?(): void
}

/** The places that a connection of a client may go to at this moment, the first choice first. */
export type Route = (client: string) => readonly Choice[] | Promise<readonly Choice[]>

/**
 * Carries connections from one loopback port to the targets that the route names when the connection comes. A target that
 * does not answer is skipped; if none answers, the connection is reset. While the proxy is shut, connections are refused,
 * and open ones continue.
 */
export class TcpProxy implements AsyncDisposable {
  readonly #server: Server
  readonly #route: Route
  readonly #sockets = new Set<Socket>()
  #drained: (() => void) | undefined

  constructor(route: Route) {
    this.#route = route
    this.#server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true })
    this.#server.on('connection', (socket) => void this.#carry(socket))
    // A connection that cannot be accepted must not end the others.
    this.#server.on('error', () => undefined)
  }

  get listening(): boolean {
    return this.#server.listening
  }

  /** Listens on `port`, or on any free one where it is 0. Fails with `PORT_IN_USE` when another program has it. */
  open(host: string, port: number): Promise<SocketAddress> {
    return new Promise((resolve, reject) => {
      const failed = (error: NodeJS.ErrnoException): void => reject(listenError(error, host, port))
      this.#server.once('error', failed)
      this.#server.listen({ host, port, exclusive: true }, () => {
        this.#server.off('error', failed)
        const address = this.#server.address()
        resolve({ host, port: typeof address === 'object' && address ? address.port : port })
      })
    })
  }

  /** Stops listening. Open connections continue. */
  shut(): void {
    if (this.#server.listening) this.#server.close()
  }

  /** Stops listening; resolves when the last connection has ended. */
  drain(): Promise<void> {
    this.shut()
    if (this.#sockets.size === 0) return Promise.resolve()
    return new Promise((resolve) => (this.#drained = resolve))
  }

  /** Stops listening and ends every connection. */
  close(): Promise<void> {
    const drained = this.drain()
    for (const socket of this.#sockets) socket.destroy()
    return drained
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #carry(client: Socket): Promise<void> {
    this.#track(client)
    const target = await this.#reach(client).catch(() => undefined)
    if (!target || client.destroyed) {
      target?.destroy()
      client.resetAndDestroy()
      return
    }
    client.pipe(target)
    target.pipe(client)
    client.once('close', () => target.destroy())
    target.once('close', () => client.destroy())
  }

  /** A connection to the first place that accepts. */
  async #reach(client: Socket): Promise<Socket | undefined> {
    for (const choice of await this.#route(client.remoteAddress ?? '')) {
      if (client.destroyed) return undefined
      const socket = await this.#connect(choice.address)
      if (!socket) continue
      choice.connected?.()
      return socket
    }
    return undefined
  }

  #connect({ host, port }: SocketAddress): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ host, port, allowHalfOpen: true, noDelay: true })
      this.#track(socket)
      socket.once('connect', () => resolve(socket))
      socket.once('close', () => resolve(undefined))
    })
  }

  /** An error on one side ends in `close`, which ends the other side. */
  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      this.#sockets.delete(socket)
      if (this.#sockets.size === 0) this.#drained?.()
    })
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): HomeostatError {
  const where = `port ${port} of ${host}`
  if (error.code === 'EADDRINUSE') {
    return new HomeostatError(
      'PORT_IN_USE',
      `${where} is in use: end the program that uses it, or choose another port`,
      { cause: error },
    )
  }
  if (error.code === 'EACCES') {
    return new HomeostatError(
      'PORT_FORBIDDEN',
      `${where} may not be used by this user: choose a port from 1024 up`,
      { cause: error },
    )
  }
  return new HomeostatError('PORT_UNAVAILABLE', `${where} cannot be listened on: ${error.message}`, {
    cause: error,
  })
}
