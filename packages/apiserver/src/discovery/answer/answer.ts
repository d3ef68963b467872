import { failure, type ApiRequest, type ApiResponse, type Status } from '@homeostat/api'
import { encodeYaml } from '../../wire/index.ts'
import { accepts, MEDIA_TYPES, parseAccept } from './negotiate.ts'
import { isPretty } from './pretty.ts'

const encoder = new TextEncoder()
const FRESH = { 'content-type': 'application/json', 'cache-control': 'no-cache, private' }

const YAML = 'application/yaml'
/** JSON stands for protobuf too: the HTTP layer encodes the answer as protobuf. */
const FORMS = ['application/json', YAML, 'application/vnd.kubernetes.protobuf']

/** A document that the client must not cache, in the form that it prefers; 406 where it accepts none. */
export function documentAnswer(request: ApiRequest, document: object): ApiResponse {
  const wanted = parseAccept(request.headers.accept).find(
    ({ parameters: { as, g, v } }, index, all) =>
      as === undefined &&
      g === undefined &&
      v === undefined &&
      FORMS.some((form) => accepts(all[index]!, form)),
  )
  if (!wanted) return statusAnswer(failure.notAcceptable(MEDIA_TYPES))
  if (accepts(wanted, 'application/json') || !accepts(wanted, YAML)) return plainAnswer(request, document)
  const headers = { ...FRESH, 'content-type': YAML }
  return { status: 200, headers, body: encoder.encode(encodeYaml(document)) }
}

/** A document in JSON that the client must not cache. */
export function plainAnswer(request: ApiRequest, document: object): ApiResponse {
  const text = JSON.stringify(document, undefined, isPretty(request) ? 2 : undefined)
  return { status: 200, headers: FRESH, body: encoder.encode(text) }
}

export function statusAnswer(status: Status): ApiResponse {
  return { status: status.code, headers: FRESH, body: encoder.encode(JSON.stringify(status)) }
}

/** Plain text that the client must not cache. */
export function textAnswer(status: number, text: string): ApiResponse {
  const headers = {
    ...FRESH,
    'content-type': 'text/plain; charset=utf-8',
    // So that no browser guesses another content type for an error.
    ...(status >= 400 && { 'x-content-type-options': 'nosniff' }),
  }
  return { status, headers, body: encoder.encode(text) }
}

/**
 * A document that a client may cache by its `etag`, which `headers` must contain. A client that has it already gets
 * 304 without a body.
 */
export function cacheableAnswer(
  request: ApiRequest,
  document: string | Uint8Array,
  headers: Readonly<Record<string, string>> & { readonly etag: string },
): ApiResponse {
  const all = { vary: 'Accept', ...headers }
  return request.headers['if-none-match'] === headers.etag
    ? { status: 304, headers: all, body: new Uint8Array() }
    : { status: 200, headers: all, body: typeof document === 'string' ? encoder.encode(document) : document }
}
