import type { ApiResponse } from '@homeostat/api'
import { Failure } from '../../registry/failure.ts'
import { statusAnswer, warningHeader } from '../answer/answer.ts'

/** Says with every answer, also with failures, that what was asked for is going out of use. */
export async function withDeprecation(
  deprecation: string,
  serve: () => ApiResponse | Promise<ApiResponse>,
): Promise<ApiResponse> {
  const response = await serveOrRefuse(serve)
  const { warning } = warningHeader([deprecation])
  const all = [warning, response.headers['warning']].filter((one) => one !== undefined).join(', ')
  return { ...response, headers: { ...response.headers, warning: all } }
}

async function serveOrRefuse(serve: () => ApiResponse | Promise<ApiResponse>): Promise<ApiResponse> {
  try {
    return await serve()
  } catch (error) {
    if (error instanceof Failure) return statusAnswer(error.status)
    throw error
  }
}
