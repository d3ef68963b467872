import { parseJson } from '@homeostat/api'
import { jsonKind, jsonSyntaxProblem } from '../../wire/index.ts'
import { isObject, textOf, type JsonObject } from '../../schema/index.ts'
import type { WebhookAnswer } from './call-webhook.ts'

const decoder = new TextDecoder()
/** How much of an answer an error message quotes. */
const MOST_QUOTED = 2_048

/** The type that Go's decoder reads the version and the kind into, as its messages print it. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'

/** A webhook answered with a status other than success. */
export class RefusedCall extends Error {
  override readonly name = 'RefusedCall'
  readonly status: number

  constructor(message: string, status: number) {
    super(message)
    this.status = status
  }
}

/** The JSON object of the answer. Fails with `RefusedCall` where its status is a failure. Otherwise throws an Error with the message of Go's client where there is none. */
export function readAnswer({ status, contentType, body }: WebhookAnswer): JsonObject {
  const text = decoder.decode(body)
  if (status < 200 || status > 206) throw new RefusedCall(refusal(status, text), status)
  if (text === '') {
    throw new Error(`0-length response with status code: ${status} and content type: ${contentType}`)
  }
  const problem = /^\s*[[{"\d-]|^\s*(?:true|false|null)\s*$/.test(text) ? jsonSyntaxProblem(body) : undefined
  if (problem !== undefined) throw unreadable(problem)
  const value = parsed(text)
  if (isObject(value)) return value
  const type = Array.isArray(value)
    ? 'array'
    : value === null
      ? 'object'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value
  throw unreadable(`json: cannot unmarshal ${type} into Go value of type ${TYPE_META}`)
}

/** Fails where a webhook answers with another kind, or with its review in another version that Go's client cannot convert. */
export function checkReviewVersion(
  { apiVersion, kind }: JsonObject,
  review: { readonly group: string; readonly version: string; readonly kind: string },
): void {
  const own = `${review.group}/${review.version}`
  const given = { kind: textOf(kind ?? '') || review.kind, apiVersion: textOf(apiVersion ?? '') || own }
  if (given.kind === review.kind && given.apiVersion === own) return
  const other = review.version === 'v1' ? 'v1beta1' : 'v1'
  if (given.kind !== review.kind || given.apiVersion !== `${review.group}/${other}`) {
    throw new Error(
      `no kind ${JSON.stringify(given.kind)} is registered for version ${JSON.stringify(given.apiVersion)} in scheme "pkg/runtime/scheme.go:111"`,
    )
  }
  throw new Error(
    `converting (${other}.${review.kind}) to (${review.version}.${review.kind}): unknown conversion`,
  )
}

type FieldType = 'string' | 'bool' | 'list of strings' | 'map of strings' | 'object'

/** The fields of an AdmissionResponse, and the type of each in Go where messages name it. */
const RESPONSE_FIELDS: Readonly<Record<string, readonly [FieldType, string]>> = {
  uid: ['string', 'types.UID'],
  allowed: ['bool', 'bool'],
  status: ['object', 'v1.Status'],
  patchType: ['string', 'v1.PatchType'],
  auditAnnotations: ['map of strings', 'map[string]string'],
  warnings: ['list of strings', '[]string'],
}

/** Fails where a field of the response has another type than the API gives it. */
export function checkResponseTypes({ response }: JsonObject): void {
  if (!isObject(response)) return
  for (const [name, [type, goType]] of Object.entries(RESPONSE_FIELDS)) {
    const value = response[name]
    if (value === undefined || value === null) continue
    const wrong = wrongPart(value, type)
    if (!wrong) continue
    const wanted = wrong.part === value ? goType : 'string'
    throw new Error(
      `json: cannot unmarshal ${jsonKind(wrong.part)} into Go struct field AdmissionResponse.response.${name} of type ${wanted}`,
    )
  }
}

/** The value, or the part of it, that has another type. Null counts as absent, as in Go. */
function wrongPart(value: unknown, type: FieldType): { readonly part: unknown } | undefined {
  const first = (parts: readonly unknown[]): { readonly part: unknown } | undefined => {
    const part = parts.find((one) => one !== null && typeof one !== 'string')
    return part === undefined ? undefined : { part }
  }
  switch (type) {
    case 'string':
      return typeof value === 'string' ? undefined : { part: value }
    case 'bool':
      return typeof value === 'boolean' ? undefined : { part: value }
    case 'object':
      return isObject(value) ? undefined : { part: value }
    case 'list of strings':
      return Array.isArray(value) ? first(value) : { part: value }
    case 'map of strings':
      return isObject(value) ? first(Object.values(value)) : { part: value }
  }
}

/** Text that is not JSON is a YAML scalar to Go's decoder. */
function parsed(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return /^\s*(?:yes|no|on|off)\s*$/i.test(text) ? true : text
  }
}

function unreadable(why: string): Error {
  return new Error(`couldn't get version/kind; json parse error: ${why}`)
}

function refusal(status: number, text: string): string {
  const given = statusMessage(text)
  if (given !== undefined) return given
  const quoted = text.trim().slice(0, MOST_QUOTED)
  switch (status) {
    case 400:
      return 'the server rejected our request for an unknown reason'
    case 401:
      return 'the server has asked for the client to provide credentials'
    case 403:
      return quoted === '' ? 'unknown' : quoted
    case 404:
      return 'the server could not find the requested resource'
    case 405:
      return 'the server does not allow this method on the requested resource'
    case 429:
      return 'the server has received too many requests and has asked us to try again later'
    case 503:
      return 'the server is currently unable to handle the request'
    case 504:
      return 'the server was unable to return a response in the time allotted, but may still be processing the request'
    default:
      return status >= 500
        ? `an error on the server (${JSON.stringify(quoted === '' ? 'unknown' : quoted)}) has prevented the request from succeeding`
        : `the server responded with the status code ${status} but did not return more information`
  }
}

/** The message of a Status that was answered. */
function statusMessage(text: string): string | undefined {
  const value = parsed(text)
  if (!isObject(value) || value['kind'] !== 'Status') return undefined
  return typeof value['message'] === 'string' ? value['message'] : undefined
}
