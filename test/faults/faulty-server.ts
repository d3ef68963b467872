import type { ApiHandler, ApiRequest, ApiResponse } from '@homeostat/api'
import { TransportError } from 'homeostat'

type Fault = (request: ApiRequest, serve: () => Promise<ApiResponse>) => Promise<ApiResponse>

/** A watch that is open: how to make it break off or fall silent. */
interface OpenStream {
  fail(error: Error): void
  hang(): void
}

/**
 * Stands between clients and a server in this process, and does to their requests what networks and dying
 * servers do.
 */
export class FaultyServer {
  #serve: ApiHandler
  #down = false
  readonly #faults: { matches: (request: ApiRequest) => boolean; fault: Fault; left: number }[] = []
  readonly #streams = new Set<OpenStream>()
  /** Every request that came, as `GET /path`. */
  readonly requests: string[] = []

  constructor(serve: ApiHandler) {
    this.#serve = serve
  }

  get openStreams(): number {
    return this.#streams.size
  }

  readonly handler: ApiHandler = async (request) => {
    this.requests.push(`${request.method} ${request.path}`)
    if (this.#down) throw refused()
    const found = this.#faults.find(({ matches, left }) => left > 0 && matches(request))
    const serve = (): Promise<ApiResponse> => this.#serve(request)
    if (found) found.left--
    const response = await (found ? found.fault(request, serve) : serve())
    if (response.body instanceof Uint8Array) return response
    return { ...response, body: this.#stream(response.body, request.signal) }
  }

  /** The server dies: open streams break off, and requests get no answer any more. */
  kill(): void {
    this.#down = true
    this.breakStreams()
  }

  /** A server answers again: the same one, or another. */
  restart(serve: ApiHandler = this.#serve): void {
    this.#serve = serve
    this.#down = false
  }

  breakStreams(): void {
    for (const stream of Array.from(this.#streams)) stream.fail(lost())
  }

  /** Open streams stay open, but deliver nothing any more. */
  hangStreams(): void {
    for (const stream of this.#streams) stream.hang()
  }

  /** The next requests that match meet the fault instead of the server. */
  inject(matches: (request: ApiRequest) => boolean, fault: Fault, times = 1): void {
    this.#faults.push({ matches, fault, left: times })
  }

  async *#stream(body: AsyncIterable<Uint8Array>, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
    const iterator = body[Symbol.asyncIterator]()
    const failure = Promise.withResolvers<never>()
    failure.promise.catch(() => {})
    let hung = false
    const stream: OpenStream = { fail: failure.reject, hang: () => void (hung = true) }
    const aborted = (): void => failure.reject(lost())
    signal?.addEventListener('abort', aborted, { once: true })
    this.#streams.add(stream)
    try {
      for (;;) {
        const next = await Promise.race([iterator.next(), failure.promise])
        if (hung) await failure.promise
        if (next.done) return
        yield next.value
      }
    } finally {
      this.#streams.delete(stream)
      signal?.removeEventListener('abort', aborted)
      void iterator.return?.()
    }
  }
}

/** Breaks an answer's body off after some bytes, as a dying server does. */
export const truncatedAfter =
  (bytes: number): Fault =>
  async (_, serve) => {
    const response = await serve()
    const chunks = response.body instanceof Uint8Array ? [response.body] : response.body
    return { ...response, body: cut(chunks, bytes) }
  }

/** Answers with a failure. */
export const answers =
  (code: number, reason: string, headers: Record<string, string> = {}): Fault =>
  async () => ({
    status: code,
    headers: { 'content-type': 'application/json', ...headers },
    body: new TextEncoder().encode(
      JSON.stringify({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Failure',
        reason,
        code,
        message: reason,
      }),
    ),
  })

/** The server does what was asked, and dies before it has answered. */
export const losesTheAnswer: Fault = async (_, serve) => {
  await serve()
  throw lost()
}

/** The connection breaks before the server has got the request. */
export const losesTheRequest: Fault = async () => {
  throw lost()
}

export const isWatch = ({ query }: ApiRequest): boolean => query.get('watch') === 'true'
export const isWrite = ({ method }: ApiRequest): boolean => method !== 'GET'

async function* cut(
  chunks: AsyncIterable<Uint8Array> | Uint8Array[],
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let left = bytes
  for await (const chunk of chunks) {
    if (chunk.length >= left) {
      yield chunk.slice(0, left)
      throw lost()
    }
    left -= chunk.length
    yield chunk
  }
}

function lost(): TransportError {
  return new TransportError('TRANSPORT_CONNECTION_LOST', 'the connection to the server broke off')
}

function refused(): TransportError {
  return new TransportError('TRANSPORT_REFUSED', 'nothing listens where the server was')
}
