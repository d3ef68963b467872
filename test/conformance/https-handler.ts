import { Agent, request as httpsRequest } from 'node:https'
import type { ApiHandler, ApiRequest, ApiResponse } from '@homeostat/api'
import { ANONYMOUS } from './anonymous.ts'

/** A server on the network as a function. Nothing is added, unpacked or tried again: answers come as they were sent. */
export function httpsHandler(access: { url: string; token: string; ca: string }): {
  send: ApiHandler
  close: () => void
} {
  const agent = new Agent({ keepAlive: true, ca: access.ca })
  const send = (request: ApiRequest): Promise<ApiResponse> => {
    const { promise, resolve, reject } = Promise.withResolvers<ApiResponse>()
    const { authorization = `Bearer ${access.token}`, ...headers } = request.headers
    const query = request.query.size > 0 ? `?${request.query.toString()}` : ''
    const { hostname, port } = new URL(access.url)
    const outgoing = httpsRequest(
      {
        agent,
        hostname,
        port,
        path: `${request.path}${query}`,
        method: request.method,
        headers: {
          ...headers,
          ...(authorization !== ANONYMOUS && { authorization }),
          // Without it the body of a DELETE would not be seen as one.
          ...(request.body && { 'content-length': String(request.body.length) }),
        },
        signal: request.signal,
      },
      (incoming) => {
        const answered = Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
        resolve({
          status: incoming.statusCode ?? 0,
          headers: Object.fromEntries(answered) as Record<string, string>,
          body: incoming,
        })
      },
    )
    outgoing.on('error', reject)
    outgoing.end(request.body)
    return promise
  }
  return { send, close: () => agent.destroy() }
}
