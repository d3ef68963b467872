import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import { HomeostatError } from '@homeostat/api'

/** The requests of one connection. */
interface ConnectionRequests {
  /** Settled when the last request has ended. */
  turn: Promise<void>
  /** The number of running requests. */
  busy: number
  /** The abort controllers of the running requests. */
  readonly ends: Set<() => void>
  /** Their answers. */
  readonly answers: Set<ServerResponse>
}

/**
 * The connections of a server, and their requests. Requests on one connection are processed one after the other, in
 * the order of their arrival, so that each sees the effects of the ones before.
 */
export class Connections {
  readonly #sockets = new Set<Socket>()
  readonly #lines = new WeakMap<Socket, ConnectionRequests>()
  readonly #requests = new Map<AbortController, Promise<void>>()

  constructor(server: Server) {
    // The HTTP server does not know connections that have not finished their TLS handshake.
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Runs the work of a request when its turn comes. The signal aborts when the request or its connection ends. */
  take(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    work: (signal: AbortSignal) => Promise<void>,
  ): void {
    const line = this.#line(incoming.socket)
    const controller = new AbortController()
    const over = Promise.withResolvers<void>()
    const end = (): void => {
      if (!line.ends.delete(end)) return
      line.answers.delete(outgoing)
      this.#requests.delete(controller)
      // A complete answer needs no abort.
      if (!outgoing.writableFinished) {
        controller.abort(new HomeostatError('CONNECTION_CLOSED', 'the client closed the connection'))
      }
      line.busy--
      over.resolve()
    }
    line.ends.add(end)
    line.answers.add(outgoing)
    outgoing.once('close', end)
    const first = line.busy === 0
    line.busy++
    const before = first ? undefined : Promise.race([line.turn, aborted(controller.signal)])
    line.turn = over.promise
    const working = before
      ? before.then(() => (controller.signal.aborted ? undefined : work(controller.signal)))
      : work(controller.signal)
    this.#requests.set(controller, working)
  }

  /**
   * Runs the work of a request that takes over its connection, after the earlier requests on the connection. The
   * signal aborts when the connection ends or the server closes.
   */
  takeOver(socket: Socket, work: (signal: AbortSignal) => Promise<void>): void {
    const controller = new AbortController()
    const end = (): void => {
      controller.abort(new HomeostatError('CONNECTION_CLOSED', 'the client closed the connection'))
    }
    socket.once('close', end)
    const { busy, turn } = this.#line(socket)
    const before = busy === 0 ? undefined : Promise.race([turn, aborted(controller.signal)])
    const working = before ? before.then(() => work(controller.signal)) : work(controller.signal)
    this.#requests.set(
      controller,
      working.finally(() => {
        socket.off('close', end)
        this.#requests.delete(controller)
        // The connection must not outlive the work.
        end()
      }),
    )
  }

  /** Whether an answer is being written to a connection: nothing else can be written there. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#lines.get(socket)?.answers ?? [])].some(({ headersSent }) => headersSent)
  }

  /** Aborts all requests, waits until they have ended, and closes every connection in any state. */
  async close(): Promise<void> {
    const underWay = [...this.#requests.values()]
    for (const controller of this.#requests.keys()) {
      controller.abort(new HomeostatError('SERVER_CLOSED', 'the server is closing'))
    }
    await Promise.all(underWay)
    for (const socket of this.#sockets) socket.destroy()
  }

  #line(socket: Socket): ConnectionRequests {
    const known = this.#lines.get(socket)
    if (known) return known
    const line: ConnectionRequests = { turn: Promise.resolve(), busy: 0, ends: new Set(), answers: new Set() }
    this.#lines.set(socket, line)
    socket.once('close', () => {
      for (const end of line.ends) end()
    })
    return line
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
