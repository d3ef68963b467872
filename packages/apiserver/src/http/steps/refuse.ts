import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import type { Exchange } from '../request/exchange.ts'
import { isReadable } from '../request/route.ts'
import type { Step } from './step.ts'

/** A path that cannot be decoded ends the connection in a Kubernetes API server, before authentication. */
export const refuseUndecodablePath: Step<Exchange> = (exchange, next) => {
  if (isReadable(exchange.request.path)) return next(exchange)
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }
  return { status: 400, headers, body: new TextEncoder().encode('400 Bad Request') }
}

/** Requests that come after the server was closed fail with `ServiceUnavailable`. */
export const refuseWhenClosed: Step<Exchange> = (exchange, next, { registry }) => {
  if (registry.closed) throw new Failure(failure.serviceUnavailable('the API server is closed'))
  return next(exchange)
}
