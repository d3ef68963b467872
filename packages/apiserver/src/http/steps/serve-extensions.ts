import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

/** Passes requests on to the extension API servers that are responsible for their paths. */
export const serveExtensions: Step<Exchange> = (exchange, next, { extensions }) =>
  extensions?.serve(exchange.request, exchange.user) ?? next(exchange)
