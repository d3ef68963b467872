import type { ApiRequest } from '@homeostat/api'

/** Whether an answer is indented for people, such as users of `curl`. */
export function isPretty(request: ApiRequest): boolean {
  const wish = request.query.get('pretty')
  if (wish !== null) return wish !== '0' && wish !== 'false'
  return /^(curl|Wget|Mozilla)\//.test(request.headers['user-agent'] ?? '')
}
