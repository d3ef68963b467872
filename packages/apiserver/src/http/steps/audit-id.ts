import { uid } from '../../registry/index.ts'
import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

const HEADER = 'audit-id'

/** Adds the id by which logs name the request: the client's own, or a new one. */
export const addAuditId: Step<Exchange> = async (exchange, next, { registry }) => {
  const response = await next(exchange)
  const id = exchange.auditId || exchange.request.headers[HEADER] || uid(registry.clock)
  return { ...response, headers: { ...response.headers, [HEADER]: id } }
}
