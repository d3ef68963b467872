import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'node:https'
import type { Socket } from 'node:net'
import { HomeostatError } from '@homeostat/api'

/** What is under way on one connection. */
interface Line {
  /** Settled when the last request that came is over. */
  turn: Promise<void>
  /** How many are not over yet. */
  busy: number
  /** Ends each request that is not over yet. */
  readonly ends: Set<() => void>
  /** The answers to them. */
  readonly answers: Set<ServerResponse>
}

/**
 * The connections of a server, and the requests on them. Requests on one connection are worked on one after the
 * other, in the order in which they came, so that one that is sent behind another sees what that one did.
 */
export class Connections {
  readonly #sockets = new Set<Socket>()
  readonly #lines = new WeakMap<Socket, Line>()
  readonly #requests = new Map<AbortController, Promise<void>>()

  constructor(server: Server) {
    // Of a connection that never gets through its TLS handshake the HTTP server itself knows nothing.
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
  }

  /** Does the work of a request when its turn comes. The signal aborts when the request or its connection is over. */
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
      // Of what was answered whole nothing is left to be ended.
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
   * Does the work of a request that takes its connection over, after those that came before it on the connection. The
   * signal aborts when the connection or the server is over.
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
        // Whatever the work has left behind must not outlive it.
        end()
      }),
    )
  }

  /** Whether an answer has begun on a connection and is not over: nothing else can be written there. */
  isAnswering(socket: Socket): boolean {
    return [...(this.#lines.get(socket)?.answers ?? [])].some(({ headersSent }) => headersSent)
  }

  /** Aborts what is under way, waits until it has ended, and ends every connection, whatever state it is in. */
  async close(): Promise<void> {
    const underWay = [...this.#requests.values()]
    for (const controller of this.#requests.keys()) {
      controller.abort(new HomeostatError('SERVER_CLOSED', 'the server is closing'))
    }
    await Promise.all(underWay)
    for (const socket of this.#sockets) socket.destroy()
  }

  #line(socket: Socket): Line {
    const known = this.#lines.get(socket)
    if (known) return known
    const line: Line = { turn: Promise.resolve(), busy: 0, ends: new Set(), answers: new Set() }
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
