import { failure, type ApiRequest, type ApiResponse } from '@homeostat/api'
import type { PassedAnswer, PortConnection, UpgradeAnswer } from '../../http/index.ts'
import { Failure, failureWithoutReason } from '../../registry/index.ts'
import { answeredHeaders } from './passed-headers.ts'
import { chunksOf, type Received } from './pass-request.ts'
import { rewrittenBody, unzipped } from './passed-body.ts'
import { rewriteUrl, type LinkBase } from './rewrite-url.ts'
import { UrlProblem } from './url-text.ts'

/** An answer that is passed on to the client. */
export interface AnswerToPass {
  readonly received: Received
  readonly connection: Pick<PortConnection, 'close'>
  readonly request: ApiRequest
  /** Whether the server asked for a compressed answer and the client did not. */
  readonly compressed: boolean
  /** How links and redirections are rewritten; undefined where they are not. */
  readonly links?: LinkBase | undefined
}

/** The answer for the client. */
export async function proxiedAnswer(answer: AnswerToPass): Promise<ApiResponse> {
  const { received, connection, request } = answer
  if (request.headers['upgrade'] !== undefined) return upgraded(received, connection)
  const { incoming } = received
  const { headers, repeatedHeaders } = answeredHeaders(incoming.headersDistinct)
  const status = incoming.statusCode ?? 502
  const { 'content-encoding': encoding, 'content-length': _length, ...others } = headers
  const unzips = answer.compressed && encoding === 'gzip' && request.method !== 'HEAD'
  const chunks = chunksOf(incoming, connection)
  const passed: PassedAnswer = {
    status,
    headers: { ...(unzips ? others : headers), 'cache-control': cacheControl(headers['cache-control']) },
    repeatedHeaders,
    body: unzips ? unzipped(chunks) : chunks,
  }
  return answer.links ? withLinks(passed, answer.links) : passed
}

/** The proxy's own `Cache-Control` comes first. */
function cacheControl(given: string | undefined): string {
  return ['no-cache, private', given].filter(Boolean).join(', ')
}

async function withLinks(
  { status, headers, repeatedHeaders, body }: PassedAnswer,
  base: LinkBase,
): Promise<PassedAnswer> {
  const { location } = headers
  if (location) {
    const rewritten = rewriteUrl(location, base)
    if (rewritten instanceof UrlProblem) {
      await body[Symbol.asyncIterator]().return?.()
      throw new Failure(failure.internalError(`error trying to parse Location header: ${rewritten.message}`))
    }
    return { status, headers: { ...headers, location: rewritten }, repeatedHeaders, body }
  }
  if (headers['content-type']?.split(';', 1)[0]?.trim() !== 'text/html') {
    return { status, headers, repeatedHeaders, body }
  }
  const rewrite = (url: string): string => {
    const rewritten = rewriteUrl(url, base)
    return rewritten instanceof UrlProblem ? url : rewritten
  }
  const page = await rewrittenBody(body, headers['content-encoding'] ?? '', rewrite)
  const length = page.length === undefined ? undefined : { 'content-length': String(page.length) }
  return { status, headers: { ...headers, ...length }, repeatedHeaders, body: page.body }
}

/** The answer to a request for an upgrade. An error of the other side is passed on unchanged. */
function upgraded(received: Received, connection: AnswerToPass['connection']): ApiResponse {
  const { incoming } = received
  const status = incoming.statusCode ?? 502
  if (received.socket) {
    const { socket, head } = received
    const lines = incoming.rawHeaders.flatMap((name, at) =>
      at % 2 === 0 ? [`${name}: ${incoming.rawHeaders[at + 1]}`] : [],
    )
    const session = { kind: 'tunnel', lines, duplex: socket, head } as const
    const upgrade: UpgradeAnswer = { status, headers: {}, body: new Uint8Array(), session }
    return upgrade
  }
  if (status < 400) {
    connection.close()
    throw failureWithoutReason(`invalid upgrade response: status code ${status}`)
  }
  const { headers, repeatedHeaders } = answeredHeaders(incoming.headersDistinct)
  const refusal: PassedAnswer = { status, headers, repeatedHeaders, body: chunksOf(incoming, connection) }
  return refusal
}
