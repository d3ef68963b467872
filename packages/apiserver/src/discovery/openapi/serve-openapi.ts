import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { cacheableAnswer, statusAnswer } from '../answer.ts'
import { digest } from '../digest.ts'
import { accepts, parseAccept } from '../negotiate.ts'
import type { OpenApiDocuments } from './documents.ts'

/**
 * Answers what is below `/openapi`: `v3` lists the documents, each by an address that changes with its
 * content, and below it are the documents. There is no `v2`.
 */
export function serveOpenApi(
  request: ApiRequest,
  documents: OpenApiDocuments,
  segments: readonly string[],
): ApiResponse {
  const [generation, ...rest] = segments
  if (generation === 'v2') {
    const message = 'OpenAPI v2 is not served here: ask for OpenAPI v3 at /openapi/v3'
    return statusAnswer({ ...failure.pathNotFound(), message })
  }
  if (generation !== 'v3') return statusAnswer(failure.pathNotFound())
  if (!parseAccept(request.headers.accept).some((clause) => accepts(clause, 'application/json'))) {
    return statusAnswer(failure.notAcceptable(['application/json']))
  }
  return rest.length === 0
    ? serveIndex(request, documents)
    : serveDocument(request, documents, rest.join('/'))
}

function serveIndex(request: ApiRequest, documents: OpenApiDocuments): ApiResponse {
  const paths = documents.paths().map((path) => [path, { serverRelativeURL: address(documents, path) }])
  const text = JSON.stringify({ paths: Object.fromEntries(paths) })
  return cacheableAnswer(request, text, { 'content-type': 'application/json', etag: `"${digest(text)}"` })
}

function serveDocument(request: ApiRequest, documents: OpenApiDocuments, path: string): ApiResponse {
  const document = documents.at(path)
  if (!document) return statusAnswer(failure.pathNotFound())
  const hash = request.query.get('hash')
  if (hash && hash !== document.hash) {
    return { status: 301, headers: { location: address(documents, path) }, body: new Uint8Array() }
  }
  return cacheableAnswer(request, document.text, {
    'content-type': 'application/json',
    etag: `"${document.hash}"`,
    // Under an address with a hash the content never changes.
    'cache-control': hash ? 'public, immutable, max-age=31536000' : 'no-cache, private',
  })
}

function address(documents: OpenApiDocuments, path: string): string {
  return `/openapi/v3/${path}?hash=${documents.at(path)?.hash}`
}
