import { envelopeType, messageOfKind } from './message-type.ts'
import { MessageWriter } from './write-message.ts'

const PREFIX = Uint8Array.of(0x6b, 0x38, 0x73, 0x00)

/** The bytes of an object without an envelope; undefined where its kind is not native. */
export function writeObject(apiVersion: string, kind: string, object: unknown): Uint8Array | undefined {
  const type = messageOfKind(apiVersion, kind)
  if (!type) return undefined
  const writer = new MessageWriter()
  writer.message(type, object)
  return writer.finish()
}

/** An object's bytes in the envelope that names its kind. */
export function inEnvelope(apiVersion: string, kind: string, raw: Uint8Array): Uint8Array {
  const envelope = envelopeType()
  const writer = new MessageWriter()
  writer.field(envelope.fieldAt(3), '')
  writer.field(envelope.fieldAt(2), '')
  writer.bytes(2, raw)
  writer.field(envelope.fieldAt(0), { apiVersion, kind })
  const body = writer.finish()
  const whole = new Uint8Array(PREFIX.length + body.length)
  whole.set(PREFIX)
  whole.set(body, PREFIX.length)
  return whole
}

/** The bytes of a list, from its metadata and the bytes of its items: all lists have the same two fields. */
export function writeList(metadata: object, items: readonly Uint8Array[]): Uint8Array {
  const type = messageOfKind('v1', 'PodList')
  if (!type) throw new Error('the table of messages has no PodList')
  const writer = new MessageWriter()
  for (const item of items.toReversed()) writer.bytes(2, item)
  writer.field(type.fieldAt(0), metadata)
  return writer.finish()
}

/** An event of a watch with an object in its envelope, after its length, by which a reader finds the next event. */
export function writeWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const writer = new MessageWriter()
  writer.bytes(1, object)
  writer.length(2, 0)
  writer.text(1, type)
  const event = writer.finish()
  const frame = new Uint8Array(4 + event.length)
  new DataView(frame.buffer).setUint32(0, event.length)
  frame.set(event, 4)
  return frame
}
