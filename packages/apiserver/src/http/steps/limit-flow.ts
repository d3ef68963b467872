import type { ApiResponse } from '@homeostat/api'
import type { FlowControl, RunningRequest } from '../../flow-control/index.ts'
import type { RequestKind } from '../../metrics/index.ts'
import { textAnswer } from '../answer/answer.ts'
import type { Exchange } from '../request/exchange.ts'
import { isLongRunning } from './measure.ts'
import type { Next, HandlerParts, Step } from './step.ts'

const READS = new Set(['get', 'list', 'watch'])
/** The share of a request's time that it may wait for its turn, and the time of a request that names none, in milliseconds. */
const WAIT_SHARE = 1 / 4
const DEFAULT_TIME = 60_000

/**
 * Runs a request when its flow has its turn; refuses it with 429 where too many wait. A watch keeps its seats only
 * until it has begun. Connections such as `exec` are not limited, since they last as long as their clients want.
 */
export const limitFlow: Step<Exchange> = (exchange, next, server) => {
  if (isLongRunning(exchange) && exchange.verb !== 'watch') return next(exchange)
  const { flowControl } = server
  const kind: RequestKind = READS.has(exchange.verb) ? 'readOnly' : 'mutating'
  if (!flowControl) return run(exchange, next, server, kind)
  const flow = flowControl.classify(exchange.user, exchange.attributes)
  exchange.flow = flow
  let decided: Promise<RunningRequest | undefined> | undefined
  const begun = flowControl.begin(flow, exchange, (cancel) => {
    const { promise, resolve } = Promise.withResolvers<RunningRequest | undefined>()
    decided = waited(exchange, server, kind, promise, cancel)
    return resolve
  })
  if (begun === 'waits') {
    return (decided ?? Promise.resolve(undefined)).then((running) => {
      exchange.request.signal?.throwIfAborted()
      return running ? run(exchange, next, server, kind, running) : refused(exchange, flowControl)
    })
  }
  if (!begun) return refused(exchange, flowControl)
  return run(exchange, next, server, kind, begun)
}

async function run(
  exchange: Exchange,
  next: Next<Exchange>,
  { flowControl, metrics }: HandlerParts,
  kind: RequestKind,
  running?: RunningRequest,
): Promise<ApiResponse> {
  metrics.inflight.begin(kind)
  try {
    return await next(exchange)
  } finally {
    metrics.inflight.end(kind)
    if (running) flowControl?.end(running)
  }
}

/** Waits until a request has its turn, its time is over, or its client gives up. Meanwhile simulated time may pass. */
async function waited(
  { request, work }: Exchange,
  { metrics, registry }: HandlerParts,
  kind: RequestKind,
  decision: Promise<RunningRequest | undefined>,
  cancel: (isTimeOut: boolean) => void,
): Promise<RunningRequest | undefined> {
  metrics.inqueue.begin(kind)
  const timer = registry.clock.schedule(waitLimit(request.query.get('timeout')), () => cancel(true))
  const giveUp = (): void => cancel(false)
  request.signal?.addEventListener('abort', giveUp, { once: true })
  const pause = work?.pause()
  try {
    return await decision
  } finally {
    pause?.[Symbol.dispose]()
    request.signal?.removeEventListener('abort', giveUp)
    timer.cancel()
    metrics.inqueue.end(kind)
  }
}

function waitLimit(timeout: string | null): number {
  const [, amount, unit] = /^(\d+)(ms|s|m)$/.exec(timeout ?? '') ?? []
  const milliseconds = unit === 'ms' ? 1 : unit === 's' ? 1_000 : 60_000
  const time = amount === undefined ? DEFAULT_TIME : Number(amount) * milliseconds
  return Math.min(time, DEFAULT_TIME) * WAIT_SHARE
}

function refused({ flow }: Exchange, flowControl: FlowControl): ApiResponse {
  const seconds = flow ? flowControl.refused(flow) : 1
  const response = textAnswer(429, 'Too many requests, please try again later.\n')
  return { ...response, headers: { ...response.headers, 'retry-after': String(seconds) } }
}
