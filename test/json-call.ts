import type { ApiRequest, ApiResponse } from '@homeostat/api'

/** An answer whose body was read as JSON, or as text where it is not JSON. */
export interface JsonAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: any
}

export interface JsonCallOptions {
  /** Sent as JSON; a string is sent as it is. */
  readonly body?: unknown
  /** Default: `application/json`; of a PATCH `application/merge-patch+json`. */
  readonly contentType?: string | undefined
  /** Default: `application/json`. */
  readonly accept?: string | undefined
  /** Further headers, with their names in lower case. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** Sends one request as it stands, without a client: the path may hold a query. */
export async function callJson(
  send: (request: ApiRequest) => Promise<ApiResponse>,
  method: ApiRequest['method'],
  path: string,
  options: JsonCallOptions = {},
): Promise<JsonAnswer> {
  const { body, accept = 'application/json' } = options
  const url = new URL(path, 'http://server')
  const contentType =
    options.contentType ?? (method === 'PATCH' ? 'application/merge-patch+json' : 'application/json')
  const response = await send({
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: {
      accept,
      'user-agent': 'test/1.0',
      ...(body !== undefined && { 'content-type': contentType }),
      ...options.headers,
    },
    ...(body !== undefined && {
      body: new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    }),
  })
  const text = new TextDecoder().decode(await wholeBody(response))
  const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

async function wholeBody({ body }: ApiResponse): Promise<Uint8Array> {
  if (body instanceof Uint8Array) return body
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}
