import { failure } from '@homeostat/api'
import { Lexer, parseDocument, stringify, type Document, type ScalarTag, type Tags } from 'yaml'
import { Failure } from '../registry/failure.ts'
import { scanJson, survives } from './scan-json.ts'

/** What a request may send. */
const BODY_TYPES = ['application/json', 'application/yaml'] as const

/** The longest body that is read, in bytes. */
export const BODY_LIMIT = 3 * 1024 * 1024
/** How deep a body may be nested. */
const DEPTH_LIMIT = 1_000
/** What a body in YAML, which takes far longer to read than JSON, may consist of. */
const YAML_TOKENS = 250_000
const YAML_ANCHORS = 1_000

/** A body that was read. */
export interface DecodedBody {
  readonly value: unknown
  /** The fields that stand twice, of which the last counts. */
  readonly duplicates: readonly string[]
}

const decoder = new TextDecoder()

/** Reads a body by its media type; without one it is taken for JSON. Fails with the Status to answer. */
export function decodeBody(body: Uint8Array, contentType: string | undefined): DecodedBody {
  switch (mediaType(contentType) || 'application/json') {
    case 'application/json':
      return decodeJson(body)
    case 'application/yaml':
      return decodeYaml(body)
    default:
      throw new Failure(failure.unsupportedMediaType(BODY_TYPES))
  }
}

/** The media type of a header without its parameters, in lower case. */
export function mediaType(header: string | undefined): string {
  return (header?.split(';')[0] ?? '').trim().toLowerCase()
}

/** Reads JSON. */
export function decodeJson(body: Uint8Array): DecodedBody {
  checkLength(body)
  const text = decoder.decode(body)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Failure(failure.badRequest(`the body of the request is not JSON: ${(error as Error).message}`))
  }
  const { duplicates, depth, lostNumber } = scanJson(text)
  if (depth > DEPTH_LIMIT) tooDeep()
  if (lostNumber) refuseNumber(lostNumber)
  return { value, duplicates }
}

/** Reads YAML as Kubernetes does: version 1.1, of which JSON is a part. */
export function decodeYaml(body: Uint8Array): DecodedBody {
  checkLength(body)
  const text = decoder.decode(body)
  if (text.trimStart().startsWith('{')) return decodeJson(body)
  checkYaml(text)
  const document = parseDocument(text, {
    version: '1.1',
    merge: true,
    // So that a number that is too large is seen, not rounded.
    intAsBigInt: true,
    uniqueKeys: false,
    customTags: withoutTimes,
  })
  const [problem] = document.errors
  if (problem) throw new Failure(failure.badRequest(`error decoding YAML: ${problem.message}`))
  const again = expanded(document)
  const { depth } = scanJson(again)
  if (depth > DEPTH_LIMIT) tooDeep()
  // Once through JSON: what an alias shares is copied, and what JSON does not know is gone.
  return { value: JSON.parse(again), duplicates: [] }
}

/** The document as YAML, for clients that prefer it. */
export function encodeYaml(value: unknown): string {
  return stringify(value, { aliasDuplicateObjects: false, lineWidth: 0 })
}

/** Times stay the text that they are. */
function withoutTimes(tags: Tags): Tags {
  return tags.filter((tag) => (tag as ScalarTag).tag !== 'tag:yaml.org,2002:timestamp' && tag !== 'timestamp')
}

/** The document as JSON; one that grows without end by its aliases is refused. */
function expanded(document: Document): string {
  try {
    return JSON.stringify(document.toJS({ maxAliasCount: 100 }), plainNumber) ?? 'null'
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(failure.badRequest(`error decoding YAML: ${(error as Error).message}`))
  }
}

/** Whole numbers as JSON.parse would read them; those that it would change, or cannot write, are refused. */
function plainNumber(key: string, value: unknown): unknown {
  if (typeof value !== 'bigint' && typeof value !== 'number') return value
  const text = String(value)
  if (!survives(text) || !Number.isFinite(Number(text))) refuseNumber({ path: key, text })
  return Number(value)
}

/** Refuses what would keep the parser, and with it everyone else, busy for long. */
function checkYaml(text: string): void {
  let [tokens, anchors, depth] = [0, 0, 0]
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') depth++
    else if (token === ']' || token === '}') depth--
    else if (token.startsWith('&')) anchors++
    if (depth > DEPTH_LIMIT) tooDeep()
    if (++tokens > YAML_TOKENS || anchors > YAML_ANCHORS) {
      const limits = `at most ${YAML_TOKENS} tokens and ${YAML_ANCHORS} anchors`
      throw new Failure(
        failure.requestEntityTooLarge(`a body in YAML may have ${limits}: send it as JSON instead`),
      )
    }
  }
}

function refuseNumber({ path, text }: { path: string; text: string }): never {
  const shown = text.length > 40 ? `${text.slice(0, 40)}…` : text
  throw new Failure(
    failure.badRequest(
      `the number ${shown} in ${path || 'the body'} cannot be kept exactly: this server keeps whole numbers up to ${Number.MAX_SAFE_INTEGER}. Write it as text, where the field allows it`,
    ),
  )
}

function checkLength(body: Uint8Array): void {
  if (body.length > BODY_LIMIT) throw new Failure(failure.requestEntityTooLarge(`limit is ${BODY_LIMIT}`))
}

function tooDeep(): never {
  throw new Failure(failure.badRequest(`the body of the request is nested deeper than ${DEPTH_LIMIT} levels`))
}
