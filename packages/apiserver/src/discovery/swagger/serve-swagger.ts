import type { ApiRequest, ApiResponse } from '@homeostat/api'
import { cacheableAnswer } from '../answer/answer.ts'
import { parseAccept } from '../answer/negotiate.ts'
import type { SwaggerDocument } from './swagger-document.ts'

const FRESH = { 'cache-control': 'no-cache, private' }
const GNOSTIC = 'com.github.proto-openapi.spec.v2.v1.0+protobuf'
/** Clients request it by its old name, which is not a valid media type. */
const GNOSTIC_NAMES = ['com.github.proto-openapi.spec.v2@v1.0+protobuf', GNOSTIC]

/** Answers `/openapi/v2` in the first form that the client accepts. A Go client accepts protobuf alone. */
export async function serveSwagger(request: ApiRequest, document: SwaggerDocument): Promise<ApiResponse> {
  for (const { type, subtype } of parseAccept(request.headers.accept)) {
    if (type !== '*' && type !== 'application') continue
    const json = subtype === '*' || subtype === 'json'
    if (!json && !GNOSTIC_NAMES.includes(subtype)) continue
    const { bytes, etag } = await (json ? document.json() : document.protobuf())
    const contentType = json ? 'application/json' : `application/${GNOSTIC}`
    return cacheableAnswer(request, bytes, { ...FRESH, 'content-type': contentType, etag })
  }
  return { status: 406, headers: { ...FRESH, vary: 'Accept' }, body: new Uint8Array() }
}
