import { failure, type ApiRequest, type ApiResponse, type Status } from '@homeostat/api'
import {
  isPretty,
  MEDIA_TYPES,
  negotiate,
  tableForms,
  type Accepted,
  type IncludeObject,
} from '../../discovery/index.ts'
import { Failure, type Resource } from '../../registry/index.ts'
import { PROTOBUF } from '../../wire/index.ts'
import { latePattern } from '../../work/index.ts'
import { protobufDocument } from './protobuf-answer.ts'
import { encodeStatus } from './status-size.ts'

const encoder = new TextEncoder()
const FRESH = { 'cache-control': 'no-cache, private' }

/** The resource of an answer, and whether it is a list. Reviews have no `tables`. */
export interface AnswerKind {
  readonly resource?: Resource | undefined
  readonly many?: boolean
  readonly tables?: boolean
}

/** The form of the answer that the request accepts; fails with 406 where the server does not have it. */
export function acceptedBy(request: ApiRequest, options: AnswerKind = {}): Accepted {
  const { accept } = request.headers
  const { resource, many, tables } = options
  if (resource && !resource.custom) checkRepresentations(accept, many ?? false)
  const accepted = negotiate(accept, { tables, protobuf: !resource?.custom })
  if (!accepted) throw new Failure(failure.notAcceptable(MEDIA_TYPES))
  return accepted
}

const STREAMS = ['application/json;stream=watch', `${PROTOBUF};stream=watch`]

/** The form of a watch. Watches have fewer forms than other answers. */
export function acceptedByWatch(request: ApiRequest, resource: Resource): Accepted {
  const accepted = acceptedBy(request, { resource, many: true })
  if (accepted.mediaType === 'application/yaml') throw new Failure(failure.notAcceptable(STREAMS))
  return accepted
}

/** Watches of native kinds first try the media types without parameters, and do not accept `application/*`. */
function checkRepresentations(accept: string | undefined, many: boolean): void {
  if (accept === 'application/json' || !accept?.trim()) return
  const bare = accept.split(',').map((clause) => clause.replace(/;.*/s, '').trim())
  if (bare.some((type) => type === '*/*' || (MEDIA_TYPES as readonly string[]).includes(type))) return
  const available = [...MEDIA_TYPES, ...(many ? STREAMS : [])].join(', ')
  const message = `406: Not Acceptable\n\nAvailable representations: ${available}`
  throw new Failure({ ...failure.notAcceptable(MEDIA_TYPES), message, details: {} })
}

/** A document in the requested form. `json` is its encoding, where that exists already. */
export function documentAnswer(
  request: ApiRequest,
  accepted: Accepted,
  answer: {
    readonly code?: number | undefined
    readonly resource?: Resource | undefined
    /** A function is called only where the document is needed besides its JSON. */
    readonly document: object | (() => object)
    readonly json?: ApiResponse['body'] | undefined
    /** Encodes it in protobuf, where that is possible without the document. */
    readonly protobuf?: (() => Uint8Array) | undefined
    readonly warnings?: readonly string[] | undefined
    readonly now: number
  },
): ApiResponse | UnwrittenYaml {
  const { resource } = answer
  const headers = { ...FRESH, ...warningHeader(answer.warnings ?? []) }
  const status = answer.code ?? 200
  const whole = (): object =>
    (typeof answer.document === 'function' ? answer.document() : answer.document) as object
  const converted =
    accepted.as && resource ? convert(request, accepted, resource, whole(), answer.now) : undefined
  const typed = <Body extends ApiResponse['body']>(type: string, body: Body) => ({
    status,
    headers: { ...headers, 'content-type': type },
    body,
  })
  if (accepted.mediaType === 'application/yaml') {
    const body = encodeJson(converted ?? whole())
    return { ...typed(accepted.mediaType, body), body, isUnwrittenYaml: true } satisfies UnwrittenYaml
  }
  if (accepted.mediaType === PROTOBUF) {
    const body = answer.protobuf?.() ?? protobufDocument(converted ?? whole())
    if (body) return typed(PROTOBUF, body)
  }
  const pretty = isPretty(request)
  if (answer.json && !converted && !pretty) return typed('application/json', answer.json)
  const text = JSON.stringify(converted ?? whole(), undefined, pretty ? 2 : undefined)
  return typed('application/json', encoder.encode(text))
}

/** An answer in YAML, whose body is JSON until the last step: YAML may take long to write. */
export interface UnwrittenYaml extends ApiResponse {
  readonly body: Uint8Array
  readonly isUnwrittenYaml: true
}

export function isUnwrittenYaml(response: ApiResponse | UnwrittenYaml): response is UnwrittenYaml {
  return 'isUnwrittenYaml' in response
}

function encodeJson(document: object): Uint8Array {
  return encoder.encode(JSON.stringify(document))
}

/** The object or list as a table or as metadata, if the client asked for that. */
export function convert(
  request: ApiRequest,
  accepted: Accepted,
  resource: Resource,
  document: object,
  now: number,
  headers = true,
): object | undefined {
  switch (accepted.as) {
    case 'Table':
      return tableForms.get().tableOf(resource, document, {
        now,
        headers,
        includeObject: (request.query.get('includeObject') || undefined) as IncludeObject | undefined,
        version: accepted.version,
      })
    case 'PartialObjectMetadata':
      return tableForms.get().partialObjectMetadata(document, accepted.version, resource)
    case 'PartialObjectMetadataList':
      return tableForms.get().partialObjectMetadataList(document, accepted.version, resource)
    default:
      return undefined
  }
}

/** A Status, of a failure or a success. */
export function statusAnswer(
  status: Status | (Omit<Status, 'code'> & { code?: number }),
  code?: number,
  warnings: readonly string[] = [],
  isSentWhole = false,
): ApiResponse & { readonly body: Uint8Array } {
  const retry = status.details?.retryAfterSeconds
  return {
    status: code ?? status.code ?? 200,
    headers: {
      ...FRESH,
      ...warningHeader(warnings),
      'content-type': 'application/json',
      ...(retry === undefined ? {} : { 'retry-after': String(retry) }),
    },
    body: encodeStatus(status, isSentWhole),
  }
}

/** The answer to a request that fails. */
export function failureAnswer({ status, isSentWhole }: Failure): ApiResponse {
  return statusAnswer(status, status.code, [], isSentWhole)
}

/** Plain text. */
export function textAnswer(status: number, text: string): ApiResponse {
  return {
    status,
    headers: { ...FRESH, 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: encoder.encode(text),
  }
}

const control = latePattern(String.raw`\p{Cc}`, 'u')
/** The longest total of all warnings in characters, and the length to which each is cut beyond it. */
const MOST_WARNED = 4 * 1024
const LONGEST_WARNING = 256

/**
 * Warnings share one header, each quoted. Where they are too long together, each is cut, and those that still do not
 * fit are left out.
 */
export function warningHeader(warnings: readonly string[]): Record<string, string> {
  if (warnings.length === 0) return {}
  // Kubernetes drops a warning with characters that a header cannot have.
  const plain = warnings.filter((text) => !control().test(text))
  const quoted = fitting(plain).map((text) => `299 - "${text.replaceAll(/[\\"]/g, String.raw`\$&`)}"`)
  return quoted.length === 0 ? {} : { warning: quoted.join(', ') }
}

function fitting(warnings: readonly string[]): readonly string[] {
  let total = 0
  const overflow = warnings.findIndex((text) => (total += runes(text)) > MOST_WARNED)
  if (overflow < 0) return warnings
  const kept: string[] = []
  let written = 0
  for (const [index, text] of warnings.entries()) {
    // The warnings before the overflow are kept, however long they are together.
    if (index > overflow && written >= MOST_WARNED) break
    const cut = text.length > LONGEST_WARNING ? Array.from(text).slice(0, LONGEST_WARNING).join('') : text
    kept.push(cut)
    written += runes(cut)
  }
  return kept
}

function runes(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}
