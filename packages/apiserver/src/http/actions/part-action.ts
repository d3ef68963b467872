import { failure, type ApiResponse } from '@homeostat/api'
import { getAction, patchAction, updateAction } from './actions.ts'
import { statusAnswer } from '../answer/answer.ts'
import type { Call } from '../request/call.ts'

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
