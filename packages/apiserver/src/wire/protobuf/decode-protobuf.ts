import { textOf } from '../../schema/index.ts'
import { MessageJson } from './message-json.ts'
import { envelopeType, messageOfKind } from './message-type.ts'
import { MessageReader, ProtobufError, stateOf } from './read-message.ts'

const PREFIX = [0x6b, 0x38, 0x73, 0x00] as const

/** The kind of an object, from itself or from the path. */
export interface KindName {
  readonly apiVersion: string
  readonly kind: string
}

/** The parsed envelope, without the object in it. */
export interface ProtobufEnvelope extends Partial<KindName> {
  readonly raw: Uint8Array
}

/** Opens the envelope: `k8s`, a zero, and a message with the kind and the object's own bytes. Throws a {@link ProtobufError}. */
export function openEnvelope(body: Uint8Array): ProtobufEnvelope {
  if (body.length === 0) throw new ProtobufError('empty data')
  if (PREFIX.some((byte, index) => body[index] !== byte)) {
    throw new ProtobufError(
      `provided data does not appear to be a protobuf message, expected prefix [${PREFIX.join(' ')}]`,
    )
  }
  if (body.length === PREFIX.length) throw new ProtobufError('empty body')
  const [typeMeta, raw] = new MessageReader(body.subarray(PREFIX.length)).read(envelopeType())
  const [apiVersion, kind] = stateOf(typeMeta)
  return {
    apiVersion: textOf(apiVersion) || undefined,
    kind: textOf(kind) || undefined,
    raw: raw instanceof Uint8Array ? raw : new Uint8Array(),
  }
}

/**
 * The object in an envelope as JSON. Undefined where no native kind has the name; throws a {@link ProtobufError} where the
 * bytes are not of that kind.
 */
export function readObject(
  { apiVersion, kind }: KindName,
  raw: Uint8Array,
): Record<string, unknown> | undefined {
  const type = messageOfKind(apiVersion, kind)
  if (!type) return undefined
  const fields = new MessageJson().value(type, new MessageReader(raw).read(type)) as Record<string, unknown>
  return { kind, apiVersion, ...fields }
}

/** The package of a native kind: `apps/v1`. Undefined for others. */
export function nativePackage({ apiVersion, kind }: KindName): string | undefined {
  const name = messageOfKind(apiVersion, kind)?.fullName
  return name?.slice(0, name.lastIndexOf('.'))
}
