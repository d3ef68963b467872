import type { ApiResponse } from '@homeostat/api'
import type { StreamSession } from './stream-session.ts'

/** The answer to a request for an upgrade, which the port carries out. */
export interface UpgradeAnswer extends ApiResponse {
  readonly session: StreamSession
}

/** Whether the answer is an upgrade. */
export function isUpgrade(response: ApiResponse): response is UpgradeAnswer {
  return 'session' in response
}
