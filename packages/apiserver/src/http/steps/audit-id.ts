import type { ApiRequest, ApiResponse, Clock } from '@homeostat/api'
import { uid } from '../../registry/names.ts'

const HEADER = 'audit-id'

/** The answer with the name by which logs speak of the request: the client's own, or a new one. */
export function withAuditId(response: ApiResponse, request: ApiRequest, clock: Clock): ApiResponse {
  return { ...response, headers: { ...response.headers, [HEADER]: request.headers[HEADER] || uid(clock) } }
}
