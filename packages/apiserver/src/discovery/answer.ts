import type { ApiRequest, ApiResponse, Status } from '@homeostat/api'

const encoder = new TextEncoder()
const FRESH = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }

/** A document that the client must not keep. */
export function documentAnswer(document: object): ApiResponse {
  return { status: 200, headers: FRESH, body: encoder.encode(JSON.stringify(document)) }
}

export function statusAnswer(status: Status): ApiResponse {
  return { status: status.code, headers: FRESH, body: encoder.encode(JSON.stringify(status)) }
}

/** A text that a client may keep by its `etag`, which `headers` must hold: 304 without a body when it has it already. */
export function cacheableAnswer(
  request: ApiRequest,
  text: string,
  headers: Readonly<Record<string, string>> & { readonly etag: string },
): ApiResponse {
  const all = { vary: 'Accept', ...headers }
  return request.headers['if-none-match'] === headers.etag
    ? { status: 304, headers: all, body: new Uint8Array() }
    : { status: 200, headers: all, body: encoder.encode(text) }
}
