import { parseJson, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { negotiate } from '../discovery/index.ts'
import { encodeYaml, PROTOBUF } from '../wire/index.ts'
import { protobufDocument } from './protobuf-answer.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/**
 * The answer in the form that the request wants, where it was made in JSON: failures, what was done, and the documents of
 * discovery are the same in all forms. What has no other form stays as it is.
 */
export function inAcceptedForm(request: ApiRequest, response: ApiResponse): ApiResponse {
  const { accept } = request.headers
  if (!accept?.includes('protobuf') && !accept?.includes('yaml')) return response
  const { body, headers } = response
  if (headers['content-type'] !== 'application/json' || !(body instanceof Uint8Array)) return response
  const mediaType = negotiate(accept)?.mediaType
  if (mediaType === undefined || mediaType === 'application/json') return response
  const document = parseJson(decoder.decode(body)) as object
  const converted = mediaType === PROTOBUF ? protobufDocument(document) : yamlStatus(document)
  return converted
    ? { ...response, headers: { ...headers, 'content-type': mediaType }, body: converted }
    : response
}

function yamlStatus(document: object): Uint8Array | undefined {
  return (document as { kind?: unknown }).kind === 'Status' ? encoder.encode(encodeYaml(document)) : undefined
}
