import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import type { SocketAddress } from '../addresses/index.ts'

/** A question: the address of a port of a host, or of the host alone. */
export interface NameQuestion {
  readonly host: string
  readonly port?: number | undefined
  readonly namespace: string
}

/** The addresses of a host; empty for a host outside of the cluster. */
export type NameAnswer =
  | SocketAddress
  | { readonly host: string }
  /** An address of the cluster that is not assigned. */
  | { readonly refused: true }
  /** The cluster has another name for it, outside. */
  | { readonly outside: string }
  | Readonly<Record<string, never>>

/** The longest message, in bytes. No query is longer. */
const MOST_BYTES = 1_024
const IDLE_TIMEOUT = 10_000

/**
 * Answers the preload of Node processes on a loopback port. Each connection sends one question and gets one answer, both as a
 * line of JSON. The server reveals only addresses, which are not secret.
 */
export class NameServer {
  readonly address: SocketAddress
  readonly #server: Server
  readonly #sockets: Set<Socket>

  private constructor(server: Server, sockets: Set<Socket>) {
    const { address, port } = server.address() as AddressInfo
    this.address = { host: address, port }
    this.#server = server
    this.#sockets = sockets
  }

  static listen(answer: (question: NameQuestion) => Promise<NameAnswer>): Promise<NameServer> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => sockets.delete(socket))
      socket.setTimeout(IDLE_TIMEOUT, () => socket.destroy())
      converse(socket, answer)
    })
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen({ host: '127.0.0.1', port: 0, exclusive: true }, () => {
        server.on('error', () => undefined)
        resolve(new NameServer(server, sockets))
      })
    })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const socket of this.#sockets) socket.destroy()
    })
  }
}

function converse(socket: Socket, answer: (question: NameQuestion) => Promise<NameAnswer>): void {
  let text = ''
  const listen = (chunk: string): void => {
    text += chunk
    if (!text.includes('\n') && text.length <= MOST_BYTES) return
    socket.off('data', listen).resume()
    const question = questionIn(text)
    if (!question) socket.destroy()
    else {
      answer(question).then(
        (found) => socket.end(`${JSON.stringify(found)}\n`),
        () => socket.destroy(),
      )
    }
  }
  socket.setEncoding('utf8').on('data', listen)
}

function questionIn(text: string): NameQuestion | undefined {
  try {
    const { host, port, namespace } = JSON.parse(text.split('\n')[0] ?? '') as Record<string, unknown>
    if (typeof host !== 'string' || typeof namespace !== 'string') return undefined
    return { host, namespace, port: Number.isInteger(port) ? (port as number) : undefined }
  } catch {
    return undefined
  }
}
