import { quote, type TypeSchema } from '../schema/index.ts'
import { failure } from '@homeostat/api'
import { atOnce, type InParts } from '../work/index.ts'
import { BodyError, refusedBody } from './body-error.ts'
import { checkDepth, decodeJsonInParts, type DecodedJson } from './decode-json.ts'
import { decodeYaml } from './decode-yaml.ts'
import { BODY_LIMIT, BODY_TYPES, mediaType, PROTOBUF } from './media-type.ts'
import { nativePackage, openEnvelope, readObject, type KindName } from './protobuf/decode-protobuf.ts'
import { ProtobufError } from './protobuf/read-message.ts'

/**
 * Reads a body by its media type; without one, as JSON. `expected` is the kind of a protobuf body that does not name
 * its own. Fails with a {@link BodyError}, which carries the Status to answer where the body is too long or its media
 * type is not supported. `schema` is that of a native kind, by which duplicate keys of JSON are merged.
 */
export function decodeBody(
  body: Uint8Array,
  contentType: string | undefined,
  expected: KindName,
): DecodedJson {
  return atOnce(decodeBodyInParts(body, contentType, expected))
}

/** Does the same in parts. */
export function* decodeBodyInParts(
  body: Uint8Array,
  contentType: string | undefined,
  expected: KindName,
  schema?: TypeSchema,
): InParts<DecodedJson> {
  if (body.length > BODY_LIMIT) throw refusedBody(failure.requestEntityTooLarge(`limit is ${BODY_LIMIT}`))
  switch (mediaType(contentType) || 'application/json') {
    case 'application/json':
      return yield* decodeObject(body, nativePackage(expected) !== undefined, schema)
    case 'application/yaml':
      return decodeYaml(body)
    case PROTOBUF:
      return decodeProtobuf(body, expected)
    default:
      throw refusedBody(failure.unsupportedMediaType(BODY_TYPES))
  }
}

function* decodeObject(
  body: Uint8Array,
  native: boolean,
  schema: TypeSchema | undefined,
): InParts<DecodedJson> {
  try {
    return yield* decodeJsonInParts(body, native, !native, schema)
  } catch (error) {
    if (!(error instanceof BodyError)) throw error
    throw new BodyError(`couldn't get version/kind; json parse error: ${error.message}`)
  }
}

function decodeProtobuf(body: Uint8Array, expected: KindName): DecodedJson {
  let said: BodyError['said']
  try {
    const envelope = openEnvelope(body)
    const name: KindName = {
      kind: envelope.kind ?? expected.kind,
      // An invalid version counts as absent.
      apiVersion: isVersion(envelope.apiVersion) ? envelope.apiVersion : expected.apiVersion,
    }
    said = { kind: name.kind, version: versionOf(name.apiVersion) }
    const value = readObject(name, envelope.raw)
    if (!value) throw new ProtobufError(notRegistered(name))
    checkDepth(value)
    return { value, duplicates: [], oddNumbers: false }
  } catch (error) {
    if (error instanceof ProtobufError || error instanceof BodyError) throw new BodyError(error.message, said)
    throw error
  }
}

function isVersion(apiVersion: string | undefined): apiVersion is string {
  return apiVersion !== undefined && apiVersion.split('/').length <= 2
}

/** The message for an unknown kind. */
export function notRegistered({ kind, apiVersion }: KindName): string {
  return `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "pkg/runtime/scheme.go:111"`
}

/** `v1` of `apps/v1`. */
export function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.lastIndexOf('/') + 1)
}
