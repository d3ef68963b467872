import { apiVersionOf, failure } from '@homeostat/api'
import { Failure } from '../resource/failure.ts'
import type { Resource } from '../resource/resource.ts'
import { asServerObject, textOf, type ServerObject } from '../resource/server-object.ts'
import { decodeProblem, isObject, metadataProblem, objectOf, quote } from '../../schema/index.ts'
import {
  BodyError,
  checkTypeMeta,
  decodeBodyInParts,
  jsonKind,
  nativePackage,
  notRegistered,
  plainNumbers,
  readTypeMeta,
  summarizeBody,
  versionOf,
  type DecodedJson,
} from '../../wire/index.ts'
import { atOnce, type InParts } from '../../work/index.ts'

/** A parsed object, and the messages about its duplicate fields. */
export interface ObjectBody {
  readonly object: ServerObject
  readonly duplicates: readonly string[]
}

/** A body with an object, and the facts of its request. */
export interface SentBody {
  readonly body: Uint8Array
  readonly contentType: string | undefined
  readonly resource: Resource
  /** The kind of the object. Default: the resource's. */
  readonly expected?: Kind
  /** The namespace of the request. */
  readonly namespace: string | undefined
  /** Whether unknown fields are ignored. */
  readonly ignores: boolean
}

/** The object in a body. Fails with the Status to answer. */
export function readObjectBody(sent: SentBody): ObjectBody {
  return atOnce(readObjectBodyInParts(sent))
}

/** Does the same in parts. */
export function* readObjectBodyInParts(sent: SentBody): InParts<ObjectBody> {
  const { body, contentType, resource, expected = resource } = sent
  const name = { kind: expected.kind, apiVersion: apiVersionOf(expected) }
  try {
    const schema = resource.custom || expected.kind !== resource.kind ? undefined : resource.schema
    const decoded = yield* decodeBodyInParts(body, contentType, name, schema)
    if (decoded.first !== undefined) checkTypeMeta(decoded.first)
    const value = asObject(decoded.value, sent)
    refuseEvery(decoded, expected, resource)
    checkMetadata(value, expected, resource)
    const object = asServerObject(value)
    return { object: withPlainNumbers(decoded, object, expected, resource), duplicates: decoded.duplicates }
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    throw new Failure(error.status ?? failure.badRequest(worded(error, sent)))
  }
}

export interface Kind {
  readonly group: string
  readonly version: string
  readonly kind: string
}

function worded({ said, message }: BodyError, { body, resource, expected = resource }: SentBody): string {
  const { kind } = expected
  if (said) return `${said.kind} in version ${quote(said.version)} cannot be handled as a ${kind}: ${message}`
  return `the object provided is unrecognized (must be of type ${kind}): ${message} (${summarizeBody(body)})`
}

/** Fails where a value cannot be read, also if another one replaces it. */
function refuseEvery({ every }: DecodedJson, { kind, version }: Kind, resource: Resource): void {
  if (every === undefined || resource.custom || kind !== resource.kind) return
  const problem = decodeProblem(resource.schema, every, kind)
  if (problem !== undefined) throw new BodyError(problem, { kind, version })
}

/**
 * Converts numbers to the server's form. A native kind refuses `1.0` for a whole number, which could not be detected
 * afterwards.
 */
function withPlainNumbers(
  { oddNumbers }: DecodedJson,
  object: ServerObject,
  expected: Kind,
  resource: Resource,
): ServerObject {
  if (!oddNumbers) return object
  const said = { kind: expected.kind, version: expected.version }
  const problem =
    resource.custom || expected.kind !== resource.kind
      ? undefined
      : decodeProblem(resource.schema, object, resource.kind)
  if (problem !== undefined) throw new BodyError(problem, said)
  try {
    return plainNumbers(object) as ServerObject
  } catch (error) {
    throw error instanceof BodyError ? new BodyError(error.message, said) : error
  }
}

/**
 * Checks that a value is an object of a kind. Native objects may leave out the kind and version, which the path has;
 * the kind of a custom object is checked with its other fields, by {@link kindErrors}.
 */
function asObject(
  value: unknown,
  { resource, expected = resource, ignores }: SentBody,
): Record<string, unknown> {
  const apiVersion = apiVersionOf(expected)
  const { object } = readTypeMeta(value)
  if (!resource.custom) {
    object['kind'] ||= expected.kind
    if (object['apiVersion'] === '/') object['apiVersion'] = ''
    object['apiVersion'] ||= apiVersion
  }
  const kind = textOf(object['kind'])
  if (kind === '') {
    throw withoutKind(value, resource.custom && ignores ? expected : undefined)
  }
  if (!resource.custom) checkNativeKind(object, expected)
  if (resource.custom) checkCustomMeta(object, kind, resource)
  if (object['apiVersion'] !== apiVersion) {
    const found = textOf(object['apiVersion'])
    throw new Failure(
      failure.badRequest(
        `the API version in the data (${found}) does not match the expected API version (${apiVersion})`,
      ),
    )
  }
  return object
}

/** Kubernetes' lenient reader of custom objects names the kind that it expected; its strict one does not. */
function withoutKind(value: unknown, expected: Kind | undefined): BodyError {
  const version = versionOf(textOf(objectOf(value)['apiVersion'])) || expected?.version
  const said = expected && { kind: expected.kind, version: version ?? '' }
  return new BodyError(`Object 'Kind' is missing in '${JSON.stringify(value)}'`, said)
}

/** The metadata of a custom object are read first, even where it is of another kind. */
function checkCustomMeta(object: Record<string, unknown>, kind: string, { schema }: Resource): void {
  const said = { kind, version: versionOf(textOf(object['apiVersion'])) }
  if (object['apiVersion'] === null) {
    throw new BodyError('.apiVersion accessor error: <nil> is of the type <nil>, expected string', said)
  }
  const problem = metadataProblem(schema, object['metadata'])
  if (problem !== undefined) throw new BodyError(problem, said)
}

/** The Go packages of types, where their names differ from the group. */
const INTERNAL: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({ events: 'core', extensions: 'networking' }),
)
/** Groups whose decoder has no kinds of other groups. */
const SEPARATE_GROUPS = new Set(['apiextensions', 'apiregistration'])

/** The message of a native kind for an object of another kind: unknown, or not convertible. */
function checkNativeKind(object: Record<string, unknown>, expected: Kind): void {
  const said = { kind: textOf(object['kind']), apiVersion: textOf(object['apiVersion']) }
  if (said.kind === expected.kind && said.apiVersion === apiVersionOf(expected)) return
  const version = versionOf(said.apiVersion)
  const group = nativePackage(said)?.split('/')[0]
  const into = nativePackage({ kind: expected.kind, apiVersion: apiVersionOf(expected) })?.split('/')[0] ?? ''
  if (!group || (group !== into && (SEPARATE_GROUPS.has(group) || SEPARATE_GROUPS.has(into)))) {
    throw new BodyError(notRegistered(said), { kind: said.kind, version })
  }
  if (said.kind === expected.kind) return
  const from = `${version}.${said.kind}`
  const to = `${INTERNAL.get(into) ?? into}.${expected.kind}`
  throw new BodyError(`converting (${from}) to (${to}): unknown conversion`, { kind: said.kind, version })
}

function checkMetadata(object: Record<string, unknown>, { kind, version }: Kind, resource: Resource): void {
  object['metadata'] ??= {}
  const { metadata } = object
  if (isObject(metadata)) return
  const where = resource.custom ? 'value' : `struct field ${kind}.metadata`
  const wrong = `json: cannot unmarshal ${jsonKind(metadata)} into Go ${where} of type v1.ObjectMeta`
  // A field of a native object that cannot be read is reported instead.
  const isRead = !resource.custom && kind === resource.kind
  const problem = isRead ? decodeProblem(resource.schema, object, kind) : undefined
  throw new BodyError(problem ?? wrong, { kind, version })
}

/** The object of a server-side apply, which must have a kind and a version. */
export function appliedObject(value: unknown, resource: Resource): ServerObject {
  const fields = isObject(value) ? value : {}
  if (fields['kind'] !== resource.kind || fields['apiVersion'] !== apiVersionOf(resource)) {
    const apiVersion = textOf(fields['apiVersion'])
    const type = `${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${textOf(fields['kind'])}`
    throw new Failure(failure.badRequest(`invalid object type: ${type}`))
  }
  const { metadata } = fields
  if (metadata !== undefined && metadata !== null && !isObject(metadata)) {
    throw new Failure(failure.badRequest(`invalid metadata: expected map, got ${jsonKind(metadata)}`))
  }
  fields['metadata'] ??= {}
  return asServerObject(fields)
}

/** An apply with duplicate fields is refused before any other check. */
export function refuseDuplicates(duplicates: readonly string[]): void {
  if (duplicates.length === 0) return
  const problems = `yaml: unmarshal errors:\n  ${duplicates.join('\n  ')}`
  throw new Failure(
    failure.badRequest(`error strict decoding YAML: error converting YAML to JSON: ${problems}`),
  )
}
