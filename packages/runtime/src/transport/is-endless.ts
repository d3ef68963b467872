import type { ApiRequest } from '@homeostat/api'

/** Whether the answer is a stream that lasts until either side ends it: a watch, or a followed log. */
export function isEndless(request: ApiRequest): boolean {
  return isTrue(request.query.get('watch')) || isTrue(request.query.get('follow'))
}

function isTrue(value: string | null): boolean {
  return value === 'true' || value === '1'
}
