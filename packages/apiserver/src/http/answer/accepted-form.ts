import { parseJson, type ApiRequest, type ApiResponse } from '@homeostat/api'
import { negotiate } from '../../discovery/index.ts'
import { type Background, Failure } from '../../registry/index.ts'
import { type JsonObject, objectOf } from '../../schema/index.ts'
import { encodeYaml, jsonToYaml, PROTOBUF } from '../../wire/index.ts'
import { isUnwrittenYaml, type UnwrittenYaml, failureAnswer } from './answer.ts'
import { protobufDocument } from './protobuf-answer.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/**
 * Converts an answer in JSON to the form that the request accepts: a Status, or a document of discovery. Documents
 * without another form are not changed.
 */
export function inAcceptedForm(
  request: ApiRequest,
  response: ApiResponse,
  background: Background | undefined,
): ApiResponse | Promise<ApiResponse> {
  const { accept } = request.headers
  if (!accept?.includes('protobuf') && !accept?.includes('yaml')) return response
  if (isUnwrittenYaml(response)) return written(response, background)
  const { body, headers } = response
  if (headers['content-type'] !== 'application/json' || !(body instanceof Uint8Array)) return response
  const mediaType = negotiate(accept)?.mediaType
  if (mediaType === undefined || mediaType === 'application/json') return response
  const document = objectOf(parseJson(decoder.decode(body)))
  const converted = mediaType === PROTOBUF ? protobufDocument(document) : yamlStatus(document)
  return converted
    ? { ...response, headers: { ...headers, 'content-type': mediaType }, body: converted }
    : response
}

/** Longer JSON, in bytes, is written as YAML in the background thread. */
const LONG = 32 * 1024

/** The answer with its body in YAML; a long one is written in the background. */
async function written(
  { status, headers, body }: UnwrittenYaml,
  background: Background | undefined,
): Promise<ApiResponse> {
  if (body.length <= LONG || !background) return { status, headers, body: jsonToYaml(body) }
  try {
    return { status, headers, body: await background.run('writeYaml', body) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return failureAnswer(error)
  }
}

function yamlStatus(document: JsonObject): Uint8Array | undefined {
  return document['kind'] === 'Status' ? encoder.encode(encodeYaml(document)) : undefined
}
