import type { ApiResponse } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { failureAnswer, warningHeader } from '../answer/answer.ts'
import type { Call } from '../request/call.ts'
import type { Next, Step } from './step.ts'

/**
 * Adds a warning to every answer, also to failures, about a deprecated resource. Paths that do not exist get no
 * warning.
 */
export const addDeprecation: Step<Call> = (call, next) => {
  const { deprecation, custom } = call.resource
  const absent = !custom && call.route.subresource !== undefined
  return deprecation === undefined || absent ? next(call) : withDeprecation(deprecation, call, next)
}

async function withDeprecation(deprecation: string, call: Call, next: Next<Call>): Promise<ApiResponse> {
  const response = await answerOrRefuse(call, next)
  const { warning } = warningHeader([deprecation])
  const all = [warning, response.headers['warning']].filter((one) => one !== undefined).join(', ')
  return { ...response, headers: { ...response.headers, warning: all } }
}

async function answerOrRefuse(call: Call, next: Next<Call>): Promise<ApiResponse> {
  try {
    return await next(call)
  } catch (error) {
    if (error instanceof Failure) return failureAnswer(error)
    throw error
  }
}
