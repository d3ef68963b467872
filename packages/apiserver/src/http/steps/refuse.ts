import { failure } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import type { Exchange } from '../request/exchange.ts'
import { isReadable } from '../request/route.ts'
import type { Step } from './step.ts'

/** Answers a path that cannot be decoded, before authentication. A Kubernetes API server closes the connection. */
export const refuseUndecodablePath: Step<Exchange> = (exchange, next) => {
  if (isReadable(exchange.request.path)) return next(exchange)
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' }
  return { status: 400, headers, body: new TextEncoder().encode('400 Bad Request') }
}

/** Answers requests after the server was closed with `ServiceUnavailable`. */
export const refuseWhenClosed: Step<Exchange> = (exchange, next, { registry }) => {
  if (registry.closed) throw new Failure(failure.serviceUnavailable('the API server is closed'))
  return next(exchange)
}
