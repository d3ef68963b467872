import type { OutgoingHttpHeaders } from 'node:http'
import type { RequestOptions } from 'node:https'
import type { WebhookAnswer } from './call-webhook.ts'

/** The longest answer that is read. kube-apiserver has no limit; this one protects the memory that all requests share. */
const MOST_BYTES = 32 * 1024 * 1024

/** Sends a review as JSON and reads the whole answer. Rejects with the error of the connection. */
export function post(
  url: URL,
  body: Uint8Array,
  options: Omit<RequestOptions, 'headers'> & { readonly headers: OutgoingHttpHeaders },
): Promise<WebhookAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<WebhookAnswer>()
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': body.length,
    Accept: 'application/json, */*',
    ...options.headers,
  }
  // An import would load it at the start of every server.
  const { request } = process.getBuiltinModule('node:https')
  const outgoing = request(url, { ...options, method: 'POST', headers }, (response) => {
    const parts: Buffer[] = []
    let length = 0
    response.on('data', (part: Buffer) => {
      length += part.length
      if (length > MOST_BYTES) outgoing.destroy(new Error(`the answer is longer than ${MOST_BYTES} bytes`))
      else parts.push(part)
    })
    response.on('error', reject)
    response.on('end', () =>
      resolve({
        status: response.statusCode ?? 0,
        contentType: response.headers['content-type'] ?? '',
        body: Buffer.concat(parts),
      }),
    )
  })
  outgoing.on('error', reject)
  outgoing.end(body)
  return promise
}
