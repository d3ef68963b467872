import { connect, createServer, type Server, type Socket } from 'node:net'
import { HomeostatError } from '@homeostat/api'
import type { SocketAddress } from './pod-network.ts'

/** The places that a connection may go to at this moment, best first or all alike. */
export type Targets = () => Promise<readonly SocketAddress[]>

/**
 * Carries connections from one loopback port to whatever the targets are when the connection comes, in
 * turn. A target that does not answer is passed over. With no target the connection is closed at once.
 */
export class TcpProxy implements AsyncDisposable {
  readonly host: string
  readonly port: number
  readonly #server: Server
  readonly #targets: Targets
  readonly #sockets = new Set<Socket>()
  #turn = 0

  private constructor(server: Server, targets: Targets) {
    const address = server.address()
    if (typeof address !== 'object' || !address) throw new TypeError('the proxy does not listen on a port')
    this.host = address.address
    this.port = address.port
    this.#server = server
    this.#targets = targets
    server.on('connection', (socket) => void this.#carry(socket))
  }

  /** Listens on `port`, or on any free one where it is 0. */
  static listen(host: string, port: number, targets: Targets): Promise<TcpProxy> {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true, noDelay: true })
    return new Promise((resolve, reject) => {
      server.once('error', (error: NodeJS.ErrnoException) => reject(listenError(error, host, port)))
      server.listen({ host, port, exclusive: true }, () => resolve(new TcpProxy(server, targets)))
    })
  }

  /** Stops listening and ends every connection. */
  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const socket of this.#sockets) socket.destroy()
    })
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

  /** A connection to one target: the next in turn that accepts. */
  async #reach(client: Socket): Promise<Socket | undefined> {
    const targets = await this.#targets()
    const first = this.#turn++
    for (let i = 0; i < targets.length && !client.destroyed; i++) {
      const target = targets[(first + i) % targets.length]
      const socket = target && (await this.#connect(target))
      if (socket) return socket
    }
    return undefined
  }

  #connect(target: SocketAddress): Promise<Socket | undefined> {
    return new Promise((resolve) => {
      const socket = connect({ host: target.host, port: target.port, allowHalfOpen: true, noDelay: true })
      this.#track(socket)
      socket.once('connect', () => resolve(socket))
      socket.once('close', () => resolve(undefined))
    })
  }

  /** An error on one side ends in `close`, which ends the other side. */
  #track(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => this.#sockets.delete(socket))
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
