import type { ApiResponse } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { isWrite, type Call } from '../request/call.ts'
import type { Next, Step, WriteRecord } from './step.ts'

/** Calls `onWrite` for each write request, after it was answered. */
export const reportWrite: Step<Call> = (call, next, { onWrite }) =>
  onWrite && isWrite(call) ? reported(call, next, onWrite) : next(call)

async function reported(
  call: Call,
  next: Next<Call>,
  onWrite: (write: WriteRecord) => void,
): Promise<ApiResponse> {
  let code = 500
  try {
    const response = await next(call)
    code = response.status
    return response
  } catch (error) {
    if (error instanceof Failure) code = error.status.code
    throw error
  } finally {
    onWrite(recordOf(call, code))
  }
}

function recordOf({ route, verb, request, user }: Call, code: number): WriteRecord {
  return {
    verb,
    group: route.group,
    resource: route.plural,
    subresource: route.subresource,
    namespace: route.namespace,
    name: route.name,
    fieldManager: request.query.get('fieldManager') ?? undefined,
    userAgent: request.headers['user-agent'],
    user: user.name,
    code,
  }
}
