import type { IncomingMessage, ServerResponse } from 'node:http'
import { failure, HomeostatError, SystemClock, type Timer } from '@homeostat/api'
import { BODY_LIMIT } from '../wire/index.ts'
import { statusAnswer } from '../http/index.ts'
import { refuseUnreadable } from './port-problems.ts'

/** The server waits for clients in real time, whatever its clock is. */
const machine = new SystemClock()

/** How much of a refused body is read and discarded, in bytes. */
const LINGER_LIMIT = 256 * 1024 * 1024

/** Whether a request announces a body, which may be empty. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Reads the body, or as much of it as shows that it is too long. Rejects when the connection breaks. */
export function readBody(
  incoming: IncomingMessage,
  signal: AbortSignal,
  limit: number,
): Promise<Uint8Array | undefined | 'too large'> {
  const timer = limitReading(incoming, limit)
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | undefined | 'too large'>()
  const chunks: Buffer[] = []
  let length = 0
  let isSettled = false
  const stop = (): void => void incoming.destroy()
  const settle = (): void => {
    isSettled = true
    timer.cancel()
    signal.removeEventListener('abort', stop)
  }
  const take = (chunk: Buffer): void => {
    length += chunk.length
    chunks.push(chunk)
    if (length <= BODY_LIMIT) return
    settle()
    incoming.off('data', take)
    incoming.pause()
    resolve('too large')
  }
  signal.addEventListener('abort', stop)
  incoming.on('data', take)
  incoming.once('end', () => {
    // After a refused body the rest was only discarded.
    if (isSettled) return
    settle()
    resolve(length === 0 ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  })
  const broken = (): void => {
    if (isSettled) return
    settle()
    reject(new HomeostatError('CONNECTION_CLOSED', 'the connection ended within a request'))
  }
  incoming.once('error', broken)
  incoming.once('close', broken)
  return promise
}

/** Closes the connection of a client that does not send a body to its end in time. */
function limitReading(incoming: IncomingMessage, limit: number): Timer {
  return machine.schedule(limit, () => {
    refuseUnreadable({ name: '', message: '', code: 'ERR_HTTP_REQUEST_TIMEOUT' }, incoming.socket, false)
  })
}

/** The body as it arrives. Fails where the client sends nothing within the time limit while the reader waits. */
export async function* streamedBody(incoming: IncomingMessage, limit: number): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]()
  while (true) {
    const next = await within(limitReading(incoming, limit), chunks.next())
    if (next.done) return
    // The time that the reader takes does not count against the client.
    yield next.value
  }
}

async function within<T>(timer: Timer, result: Promise<T>): Promise<T> {
  try {
    return await result
  } finally {
    timer.cancel()
  }
}

/** Reads and discards the rest of a body, up to a limit, and closes the connection. */
export async function discard(incoming: IncomingMessage, limit: number): Promise<void> {
  const timer = machine.schedule(limit, () => incoming.destroy())
  let length = 0
  incoming.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length > LINGER_LIMIT) incoming.destroy()
  })
  await new Promise<void>((resolve) => incoming.once('end', resolve).once('close', resolve).resume())
  timer.cancel()
  incoming.socket.destroySoon()
}

/**
 * Answers a request whose body is too long, and closes its connection. It discards further input for a while: closing
 * a connection with unread input resets it, and the answer may be lost.
 */
export async function refuseBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  limit: number,
): Promise<void> {
  using _limit = machine.schedule(limit, () => incoming.socket.destroy())
  const { status, headers, body } = statusAnswer(failure.requestEntityTooLarge(`limit is ${BODY_LIMIT}`))
  outgoing.writeHead(status, { ...headers, connection: 'close', 'content-length': String(body.length) })
  outgoing.write(body)
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > LINGER_LIMIT) break
  }
  outgoing.end()
}
