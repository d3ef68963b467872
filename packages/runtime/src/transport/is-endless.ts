import type { ApiRequest } from '@homeostat/api'

/** Whether the answer goes on until either side ends it: a watch, or a log that is followed. */
export function isEndless(request: ApiRequest): boolean {
  return isTrue(request.query.get('watch')) || isTrue(request.query.get('follow'))
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1'
}
