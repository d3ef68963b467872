import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

/** Keeps a simulated clock from moving on while the request is under way, unless it waits for time to pass. */
export const holdClock: Step<Exchange> = async (exchange, next, { registry }) => {
  const { method, path, signal, waiting } = exchange.request
  const work = registry.clock.busy(`${method} ${path}`, waiting)
  // Every request passes here, and `using` takes several times as long.
  try {
    exchange.work = work
    signal?.throwIfAborted()
    return await next(exchange)
  } finally {
    work.end()
  }
}
