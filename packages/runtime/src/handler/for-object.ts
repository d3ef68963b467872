import { keyOf } from '@homeostat/api'
import type { Handler } from './handler.ts'

/** The request has the object's own namespace and name. */
export function forObject(): Handler {
  return { requests: (event) => event.key ?? keyOf(event.object) }
}
