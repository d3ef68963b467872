import type { ApiRequest } from '@homeostat/api'

const PREFIX = 'base64url.bearer.authorization.k8s.io.'

/** Whether a protocol that a WebSocket asks for is a token. */
export function isSocketToken(protocol: string): boolean {
  return protocol.startsWith(PREFIX)
}

/**
 * The request with the token that stands among the protocols of a WebSocket: a browser can send it nowhere else. It is
 * taken out of them, so that it is never taken for a protocol.
 */
export function withSocketToken(request: ApiRequest): ApiRequest {
  const { authorization, 'sec-websocket-protocol': protocols } = request.headers
  if (protocols === undefined || authorization !== undefined) return request
  const words = protocols.split(',').map((word) => word.trim())
  const token = words.find(isSocketToken)
  if (token === undefined) return request
  const rest = words.filter((word) => word !== token).join(', ')
  return {
    ...request,
    headers: {
      ...request.headers,
      'sec-websocket-protocol': rest,
      authorization: `Bearer ${decoded(token.slice(PREFIX.length))}`,
    },
  }
}

/** The token; nothing that a header can carry where it is none. */
function decoded(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/')).replaceAll(/[^\x21-\x7e]/g, '')
  } catch {
    return ''
  }
}
