import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

/** Stops a simulated clock while the request is under way, unless the request waits for time to pass. */
export const holdClock: Step<Exchange> = async (exchange, next, { registry }) => {
  const { method, path, signal, waiting } = exchange.request
  const work = registry.clock.busy(`${method} ${path}`, waiting)
  // Not `using`, which takes several times as long for each request.
  try {
    exchange.work = work
    signal?.throwIfAborted()
    return await next(exchange)
  } finally {
    work.end()
  }
}
