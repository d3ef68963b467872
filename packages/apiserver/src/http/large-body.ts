import type { ApiRequest } from '@homeostat/api'
import { needsYaml } from '../wire/index.ts'
import { isLarge } from '../work/index.ts'

/** How long a body in YAML may be to be read in one turn of the event loop, in bytes. Reading it takes 50 times as long as JSON. */
const LONG_YAML = 64 * 1024

/** Whether reading the body of a request may take so long that others would notice. */
export function isLargeBody(request: ApiRequest): boolean {
  const { body } = request
  if (!body) return false
  return isLarge(body.length) || (body.length > LONG_YAML && needsYaml({ headers: typeOf(request), body }))
}

function typeOf({ headers }: ApiRequest): ApiRequest['headers'] {
  const type = headers['content-type']
  return type === undefined ? {} : { 'content-type': type }
}
