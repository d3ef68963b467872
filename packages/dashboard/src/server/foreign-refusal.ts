import type { IncomingMessage } from 'node:http'
import type { Refusal } from './viewer.ts'

/**
 * Refuses a request that another site sends, or that uses a host name that another site has pointed to this
 * machine.
 */
export function foreignRefusal(
  { headers, method }: IncomingMessage,
  own: { readonly isOwnHost: boolean; readonly origins: ReadonlySet<string>; readonly hint: string },
): Refusal | undefined {
  if (!own.isOwnHost) return { status: 403, message: own.hint }
  const { origin } = headers
  const site = headers['sec-fetch-site']
  const isForeign =
    (origin !== undefined && !own.origins.has(origin)) ||
    (method !== 'GET' && origin === undefined) ||
    site === 'cross-site' ||
    site === 'same-site'
  // A link in another page may open this one; it cannot read the answer.
  const isOpened = method === 'GET' && origin === undefined && headers['sec-fetch-mode'] === 'navigate'
  if (isForeign && !isOpened) return { status: 403, message: 'Other sites may not use this page.' }
  return undefined
}
