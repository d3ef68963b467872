import { failure, type ApiResponse } from '@homeostat/api'
import { statusAnswer } from '../answer/answer.ts'
import type { Call } from '../request/call.ts'
import { getAction } from './read-actions.ts'
import { patchAction, updateAction } from './write-actions.ts'

/** GET, PUT and PATCH of a subresource that writes a part of the object, such as a Pod's `resize`. */
export function partAction(call: Call): ApiResponse | Promise<ApiResponse> {
  switch (call.request.method) {
    case 'GET':
    case 'HEAD':
      return getAction(call)
    case 'PUT':
      return updateAction(call)
    case 'PATCH':
      return patchAction(call)
    default:
      return statusAnswer(failure.methodNotAllowed())
  }
}
