import {
  checkOptionNames,
  optionNames,
  turnOfTheEventLoop,
  type ApiHandler,
  type ApiRequest,
  type ApiResponse,
  type Clock,
} from '@homeostat/api'
import { BodyStream } from './body-stream.ts'
import { isEndless } from './is-endless.ts'
import { ServerMemory } from './server-memory.ts'
import { TransportError } from './transport-error.ts'
import type { Transport } from './transport.ts'

export interface DirectTransportOptions {
  clock: Clock
  /** Headers of every request, such as `authorization`. Default: none, so the handler decides which user it is. */
  headers?: Readonly<Record<string, string>> | undefined
  /**
   * Whether the connection cannot break unnoticed, so that watches last a day and need no keep-alive. Use `false`
   * for a handler that represents a server on a network. Default: true.
   */
  inProcess?: boolean | undefined
}

const DIRECT_TRANSPORT_OPTIONS = optionNames<DirectTransportOptions>('directTransport', {
  clock: true,
  headers: true,
  inProcess: true,
})

/**
 * After this many requests the event loop gets a turn, so that a caller that never pauses does not block other work.
 */
const REQUESTS_PER_TURN = 64

/**
 * Calls a server in the same process. A request is a copy of JSON text; objects of an answer are frozen, and may be those that
 * the server keeps. The clock counts a request as work under way until it is answered, unless the server itself waits for time to
 * pass; a watch does not count between its events.
 */
export function directTransport(handler: ApiHandler, options: DirectTransportOptions): Transport {
  checkOptionNames(options, DIRECT_TRANSPORT_OPTIONS)
  const { clock, inProcess = true } = options
  const underWay = new Set<AbortController>()
  let closed = false
  let sent = 0

  async function send(request: ApiRequest): Promise<ApiResponse> {
    if (closed) throw closedError()
    request.signal?.throwIfAborted()
    const endless = isEndless(request)
    const work = clock.busy(`${request.method} ${request.path}`, request.waiting)
    const abort = new AbortController()
    const forward = (): void => abort.abort(request.signal?.reason)
    request.signal?.addEventListener('abort', forward, { once: true })
    underWay.add(abort)
    const finish = (): void => {
      work.end()
      underWay.delete(abort)
      request.signal?.removeEventListener('abort', forward)
    }
    try {
      if (++sent % REQUESTS_PER_TURN === 0) await turnOfTheEventLoop()
      const response = await abortable(
        handler({
          method: request.method,
          path: request.path,
          query: new URLSearchParams(request.query),
          headers: { ...options.headers, ...request.headers },
          body: request.body?.slice(),
          signal: abort.signal,
          inProcess,
          waiting: work,
        }),
        abort.signal,
      )
      if (response.body instanceof Uint8Array) {
        finish()
        return response
      }
      if (endless) work.end()
      return { ...response, body: streamed(response.body, abort, finish, request.signal) }
    } catch (error) {
      finish()
      throw error
    }
  }

  async function close(): Promise<void> {
    closed = true
    for (const abort of underWay) abort.abort(closedError())
    underWay.clear()
  }

  const memory = new ServerMemory()
  return { server: 'in-process', inProcess, memory, send, close, [Symbol.asyncDispose]: close }
}

/** The body ends when the caller's signal aborts; it fails when the transport is closed. */
function streamed(
  body: AsyncIterable<Uint8Array>,
  abort: AbortController,
  finish: () => void,
  signal: AbortSignal | undefined,
): BodyStream {
  const stop = (): void => stream.stop(signal?.aborted ? undefined : abort.signal.reason)
  const stream = new BodyStream(body[Symbol.asyncIterator](), {
    onEnd: () => {
      abort.signal.removeEventListener('abort', stop)
      finish()
    },
  })
  if (abort.signal.aborted) stop()
  else abort.signal.addEventListener('abort', stop, { once: true })
  return stream
}

function closedError(): TransportError {
  return new TransportError(
    'TRANSPORT_CLOSED',
    'the connection to the server in this process was closed. Create a new transport to continue.',
  )
}

/** Settles with the promise, or rejects with the signal's reason if it aborts first. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
