import type { ApiResponse } from '@homeostat/api'
import { Failure } from '../../registry/index.ts'
import { failureAnswer, warningHeader } from '../answer/answer.ts'
import { isWrite, type Call } from '../request/call.ts'
import type { Next, Step } from './step.ts'

/** Adds the warnings of a write to its answer also where it fails. */
export const addFailureWarnings: Step<Call> = (call, next) =>
  isWrite(call) ? withWarnings(call, next) : next(call)

async function withWarnings(call: Call, next: Next<Call>): Promise<ApiResponse> {
  try {
    return await next(call)
  } catch (error) {
    if (!(error instanceof Failure) || call.warnings.length === 0) throw error
    const answer = failureAnswer(error)
    return { ...answer, headers: { ...answer.headers, ...warningHeader(call.warnings) } }
  }
}
