import type { ApiResponse } from '@homeostat/api'
import type { StreamSession } from './stream-session.ts'

/** The answer to a request that goes on in another protocol: the port, which has the connection, takes it from here. */
export interface UpgradeAnswer extends ApiResponse {
  readonly session: StreamSession
}

/** Whether the connection is to go on in another protocol. */
export function isUpgrade(response: ApiResponse): response is UpgradeAnswer {
  return 'session' in response
}
