import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

/** Keeps a simulated clock from moving on while the request is under way. */
export const holdClock: Step<Exchange> = async (exchange, next, { registry }) => {
  const { method, path, signal } = exchange.request
  using _work = registry.clock.busy(`${method} ${path}`)
  signal?.throwIfAborted()
  return await next(exchange)
}
