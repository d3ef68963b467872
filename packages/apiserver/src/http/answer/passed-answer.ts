import type { ApiResponse } from '@homeostat/api'

/** The answer of another server, which is passed on. */
export interface PassedAnswer extends ApiResponse {
  readonly body: AsyncIterable<Uint8Array>
  /** Headers that occur several times, and are then missing from `headers`. */
  readonly repeatedHeaders: ReadonlyMap<string, string[]>
}

/** Whether an answer is one of another server. */
export function isPassedAnswer(response: ApiResponse): response is PassedAnswer {
  return 'repeatedHeaders' in response
}
