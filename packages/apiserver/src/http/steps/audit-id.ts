import type { Exchange } from '../request/exchange.ts'
import type { Step } from './step.ts'

const HEADER = 'audit-id'
const FLOW_SCHEMA = 'x-kubernetes-pf-flowschema-uid'
const PRIORITY_LEVEL = 'x-kubernetes-pf-prioritylevel-uid'

/**
 * Adds headers that identify the request: its audit id, which is the client's own or a new one, and the FlowSchema
 * and the priority level that it was assigned to.
 */
export const addAuditId: Step<Exchange> = async (exchange, next, { newAuditId }) => {
  const response = await next(exchange)
  const id = exchange.auditId || exchange.request.headers[HEADER] || newAuditId()
  const { flow } = exchange
  const headers: Record<string, string> = { ...response.headers, [HEADER]: id }
  if (flow) {
    headers[FLOW_SCHEMA] = flow.schemaUid
    headers[PRIORITY_LEVEL] = flow.level.configuration.uid
  }
  return { ...response, headers }
}
