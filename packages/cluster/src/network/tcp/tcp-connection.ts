import { connect, type Socket } from 'node:net'
import { HomeostatError } from '@homeostat/api'
import type { Connection } from '@homeostat/shell'
import type { SocketAddress } from '../addresses/index.ts'

/** How a connection is made. */
export interface TcpConnectionOptions {
  /** The loopback address that it comes from. Default: the system's choice. */
  readonly localAddress?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Connects to a loopback port. Fails with `CONNECTION_REFUSED` where nothing listens. */
export function openTcpConnection(
  { host, port }: SocketAddress,
  { localAddress, signal }: TcpConnectionOptions = {},
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const socket = connect({ host, port, localAddress, allowHalfOpen: true, noDelay: true })
    const abort = (): void => void socket.destroy(signal?.reason as Error)
    signal?.addEventListener('abort', abort, { once: true })
    const failed = (cause: NodeJS.ErrnoException): void => {
      signal?.removeEventListener('abort', abort)
      reject(signal?.aborted ? (signal.reason as Error) : refusal(host, port, cause))
    }
    socket.once('error', failed)
    socket.once('connect', () => {
      socket.off('error', failed)
      signal?.removeEventListener('abort', abort)
      resolve(connectionOf(socket))
    })
  })
}

/** A socket that is connected, with half-open ends allowed, as a {@link Connection}. */
function connectionOf(socket: Socket): Connection {
  socket.on('error', () => undefined)
  return { readable: readableOf(socket), writable: writableOf(socket), close: () => void socket.destroy() }
}

/** Reads no faster than the reader of the stream. */
function readableOf(socket: Socket): ReadableStream<Uint8Array> {
  let over = false
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (finish: () => void): void => {
          if (over) return
          over = true
          finish()
        }
        socket.pause()
        socket.on('data', (chunk: Buffer) => {
          if (over) return
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) socket.pause()
        })
        socket.once('end', () => end(() => controller.close()))
        socket.once('error', (error) => end(() => controller.error(error)))
        socket.once('close', () => end(() => controller.error(closedEarly())))
      },
      pull: () => void socket.resume(),
      cancel() {
        over = true
        socket.destroy()
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  )
}

function writableOf(socket: Socket): WritableStream<Uint8Array> {
  return new WritableStream<Uint8Array>(
    {
      start(controller) {
        socket.once('error', (error) => controller.error(error))
        socket.once('close', () => controller.error(closedEarly()))
      },
      write: (chunk) =>
        new Promise((resolve, reject) => {
          socket.write(chunk, (error) => {
            if (error) reject(error)
            else resolve()
          })
        }),
      close: () => new Promise((resolve) => void socket.end(() => resolve())),
      abort: () => void socket.destroy(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 }),
  )
}

function closedEarly(): Error {
  return new HomeostatError('CONNECTION_CLOSED', 'the connection was closed')
}

function refusal(host: string, port: number, cause: NodeJS.ErrnoException): HomeostatError {
  if (cause.code === 'ECONNREFUSED') {
    return new HomeostatError('CONNECTION_REFUSED', `nothing listens on ${host}:${port}`, { cause })
  }
  return new HomeostatError(
    'CONNECTION_FAILED',
    `cannot connect to ${host}:${port}: ${cause.code ?? cause.message}`,
    {
      cause,
    },
  )
}
