import type { ApiRequest } from '@homeostat/api'

const PREFIX = 'base64url.bearer.authorization.k8s.io.'

/** Whether a protocol that a WebSocket asks for is a token. */
export function isSocketToken(protocol: string): boolean {
  return protocol.startsWith(PREFIX)
}

/**
 * Moves the token among the protocols of a WebSocket, the only place where a browser can send it, to the
 * Authorization header.
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

/** The token; undefined where it contains characters that a header cannot have. */
function decoded(text: string): string {
  try {
    return atob(text.replaceAll('-', '+').replaceAll('_', '/')).replaceAll(/[^\x21-\x7e]/g, '')
  } catch {
    return ''
  }
}
