import type { ApiResponse } from '@homeostat/api'
import { Failure } from '../../registry/failure.ts'
import { statusAnswer, warningHeader } from '../answer/answer.ts'
import type { Call } from '../request/call.ts'

/** Says what the caller should know also when the request fails for another reason. */
export async function withFailureWarnings(
  call: Call,
  serve: () => ApiResponse | Promise<ApiResponse>,
): Promise<ApiResponse> {
  try {
    return await serve()
  } catch (error) {
    if (!(error instanceof Failure) || call.warnings.length === 0) throw error
    const answer = statusAnswer(error.status)
    return { ...answer, headers: { ...answer.headers, ...warningHeader(call.warnings) } }
  }
}
