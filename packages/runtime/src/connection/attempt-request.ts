import { HomeostatError, type ApiRequest, type ApiResponse, type Clock } from '@homeostat/api'
import { BodyStream, isEndless, TransportError } from '../transport/index.ts'
import { KEEP_ALIVE_MILLISECONDS } from './connection-pool.ts'
import { explainFailure } from './explain-failure.ts'
import type { Outgoing, RequestTaker } from './outgoing.ts'

/** After this long without a connection, the server counts as unreachable. */
const CONNECT_MILLISECONDS = 30_000

/** The parts of a transport that each attempt at a request needs. */
export interface Attempts {
  /** The address of the server, for messages. */
  readonly server: string
  readonly clock: Clock
  /** How long the server may send nothing, in milliseconds. */
  readonly timeout: number
  /** Functions that end the attempts under way, and their answers, with an error. */
  readonly underWay: Set<(error: TransportError) => void>
}

/** The error of a request on an idle connection that the server had already closed. */
export class StaleConnection extends Error {}

/**
 * Sends a request once, and resolves when its answer has begun. Rejects with {@link StaleConnection} if the server had closed the
 * connection before. The attempt counts as work of the clock until the answer has ended, or has begun where it is endless.
 */
export function attemptRequest(
  request: ApiRequest,
  begin: (taker: RequestTaker) => Outgoing,
  { server, clock, timeout, underWay }: Attempts,
): Promise<ApiResponse> {
  request.beforeSend?.()
  const work = clock.busy(`${request.method} ${request.path}`)
  const endless = isEndless(request)
  return new Promise((resolve, reject) => {
    let outgoing: Outgoing | undefined
    let body: BodyStream | undefined
    const tooSlow = (): unknown => outgoing?.destroy(timeoutError(server, timeout))
    const answerTimer = clock.schedule(timeout, tooSlow)
    const abort = (): void => stop(request.signal?.reason)
    const stop = (error: unknown): void => {
      if (body) body.stop(request.signal?.aborted ? undefined : error)
      finish()
      reject(error)
      outgoing?.destroy()
    }
    const finish = (): void => {
      answerTimer.cancel()
      work.end()
      underWay.delete(stop)
      request.signal?.removeEventListener('abort', abort)
    }
    underWay.add(stop)
    request.signal?.addEventListener('abort', abort, { once: true })

    const taker: RequestTaker = {
      connecting(socket) {
        socket.setKeepAlive(true, KEEP_ALIVE_MILLISECONDS)
        if (!socket.connecting) return
        const connectTimer = clock.schedule(CONNECT_MILLISECONDS, () => {
          outgoing?.destroy(timeoutError(server, CONNECT_MILLISECONDS))
        })
        socket.once('connect', () => connectTimer.cancel())
        socket.once('close', () => connectTimer.cancel())
      },
      failed(error, stale) {
        if (body) return
        finish()
        if (stale) reject(new StaleConnection('stale', { cause: error }))
        else reject(error instanceof HomeostatError ? error : explainFailure(server, error))
      },
      answer(answer) {
        const { status, headers, chunks } = answer
        answerTimer.cancel()
        if (endless) work.end()
        body = new BodyStream(endless ? chunks : withTimeout(chunks, clock, timeout, server), {
          onEnd: () => {
            finish()
            if (!answer.isComplete()) outgoing?.destroy()
          },
          explain: (error) => explainFailure(server, error),
        })
        resolve({ status, headers, body })
      },
    }
    try {
      outgoing = begin(taker)
    } catch (error) {
      finish()
      reject(error)
    }
  })
}

/** Passes the chunks on, with an error if one does not arrive in time. Time that the reader takes does not count. */
function withTimeout(
  chunks: AsyncIterator<Uint8Array>,
  clock: Clock,
  timeout: number,
  server: string,
): AsyncIterator<Uint8Array> {
  return {
    next: () =>
      new Promise((resolve, reject) => {
        const timer = clock.schedule(timeout, () => reject(timeoutError(server, timeout)))
        chunks
          .next()
          .then(resolve, reject)
          .finally(() => timer.cancel())
      }),
    return: () => chunks.return?.() ?? Promise.resolve({ done: true, value: undefined }),
  }
}

function timeoutError(server: string, limit: number): TransportError {
  return new TransportError(
    'TRANSPORT_TIMEOUT',
    `the server ${server} did not answer within ${limit / 1000} s. Check the network and whether the API server is overloaded.`,
  )
}
