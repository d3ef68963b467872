import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:https'
import { Socket } from 'node:net'

interface Connection {
  readonly socket: Socket
  /** How many requests are under way on it. */
  requests: number
}

/**
 * The connections of a server. Node closes only those that have served a request: Go's client also opens connections that it has no
 * request for yet, and the server would wait for them for a minute.
 */
export class OpenConnections {
  readonly #connections = new Map<string, Connection>()
  readonly #secured = new WeakMap<Socket, Connection>()
  #isClosing = false

  constructor(server: Server) {
    server.on('connection', (socket) => {
      if (socket instanceof Socket) this.#opened(socket)
    })
    server.on('secureConnection', (socket) => {
      const connection = this.#connections.get(nameOf(socket))
      if (connection) this.#secured.set(socket, connection)
    })
    server.on('request', (request, response) => this.#requested(request, response))
  }

  /** Closes each connection as soon as no request is under way on it. */
  closeUnused(): void {
    this.#isClosing = true
    for (const { socket, requests } of this.#connections.values()) if (requests === 0) socket.destroy()
  }

  #opened(socket: Socket): void {
    const name = nameOf(socket)
    this.#connections.set(name, { socket, requests: 0 })
    socket.on('close', () => this.#connections.delete(name))
  }

  #requested(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#secured.get(request.socket)
    if (!connection) return
    connection.requests++
    response.on('close', () => {
      connection.requests--
      if (this.#isClosing && connection.requests === 0) request.socket.end()
    })
  }
}

/** A connection by its other end: its TLS socket has the same as its TCP socket. */
function nameOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}|${remotePort}`
}
