import type { ApiRequest, ApiResponse } from '@homeostat/api'
import { cacheableAnswer, textAnswer } from '../answer/answer.ts'
import { accepts, parseAccept } from '../answer/negotiate.ts'
import type { OpenApiDocuments } from './documents.ts'

const FRESH = { 'cache-control': 'no-cache, private' }
const YEAR = 365 * 24 * 60 * 60

/**
 * Answers requests below `/openapi`: `v3` lists the documents, each with an address that changes with its content.
 * `others` are the addresses of documents that other API servers answer.
 */
export async function serveOpenApi(
  request: ApiRequest,
  documents: OpenApiDocuments,
  segments: readonly string[],
  others: ReadonlyMap<string, string>,
): Promise<ApiResponse> {
  const [generation, ...rest] = segments
  if (generation !== 'v3') return textAnswer(404, '404 page not found\n')
  return rest.length === 0 ? serveIndex(documents, others) : serveDocument(request, documents, rest.join('/'))
}

async function serveIndex(
  documents: OpenApiDocuments,
  others: ReadonlyMap<string, string>,
): Promise<ApiResponse> {
  const own = [...(await documents.hashes())].map(
    ([address, hash]) => [address, `/openapi/v3/${address}?hash=${hash}`] as const,
  )
  const paths = [...new Map([...own, ...others])]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([address, serverRelativeURL]) => [address, { serverRelativeURL }] as const)
  return textAnswer(200, JSON.stringify({ paths: Object.fromEntries(paths) }))
}

async function serveDocument(
  request: ApiRequest,
  documents: OpenApiDocuments,
  address: string,
): Promise<ApiResponse> {
  const hash = (await documents.hashes()).get(address)
  if (hash === undefined) return { status: 404, headers: FRESH, body: new Uint8Array() }
  if (!parseAccept(request.headers.accept).some((clause) => accepts(clause, 'application/json'))) {
    return { status: 406, headers: { ...FRESH, vary: 'Accept' }, body: new Uint8Array() }
  }
  const asked = request.query.get('hash')
  const headers = { 'content-type': 'application/json', etag: `"${hash}"` }
  if (asked && asked !== hash) {
    const location = `/openapi/v3/${address}?hash=${hash}`
    return {
      status: 301,
      headers: { ...FRESH, ...headers, vary: 'Accept', location },
      body: new Uint8Array(),
    }
  }
  return cacheableAnswer(request, (await documents.text(address)) ?? '', {
    ...headers,
    // The content at an address with a hash never changes.
    'cache-control': asked ? `public, immutable, max-age=${YEAR}` : FRESH['cache-control'],
  })
}
