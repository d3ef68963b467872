import { sentResource, takeMade } from '../state/background.ts'
import type { Registry } from '../state/registry.ts'
import type { ServerObject } from '../resource/server-object.ts'
import type { WriteOptions } from '../request/target.ts'
import { computed } from '../../work/index.ts'
import { decodeAndDefaultInParts } from './decode-and-default.ts'
import { knownParts } from './known-parts.ts'
import { isLargeBody } from './large-body.ts'
import { appliedObject, readObjectBodyInParts, refuseDuplicates, type SentBody } from './object-body.ts'
import { applyBody } from './patch-body.ts'

/** The object in the body of a create or an update: decoded, without unknown fields, and with defaults. */
interface DecodedObject {
  readonly object: ServerObject
  /** Its length as JSON in bytes: at least that of its body, since it may have got defaults. */
  readonly size: number
}

/**
 * Decodes and defaults the object of a create or an update, in the background if it is large. `stored` is the object as it is
 * stored, where the write keeps all of it but metadata and status.
 */
export async function decodeAndDefaultBody(
  registry: Registry,
  sent: SentBody,
  options: WriteOptions,
  stored?: ServerObject,
): Promise<DecodedObject> {
  const { body, contentType, resource, namespace } = sent
  const large = isLargeBody(body)
  if (large && registry.background) {
    const { fieldValidation } = options
    const input = { ...sentResource(resource), body, contentType, namespace, fieldValidation }
    const made = await registry.background.run('read', input)
    return { object: takeMade(made, options), size: Math.max(body.length, made.object.length) }
  }
  const read = computed(readObjectBodyInParts(sent), large)
  const { object, duplicates } = read instanceof Promise ? await read : read
  const { fieldValidation } = options
  const known = stored && knownParts(object, stored)
  known?.delete('status')
  const decoding = {
    fieldValidation,
    warn: (message: string) => options.warn(message),
    metadataRead: resource.custom,
    known,
  }
  const defaulted = computed(decodeAndDefaultInParts(object, resource, decoding, duplicates), large)
  const decoded = defaulted instanceof Promise ? await defaulted : defaulted
  return { object: decoded, size: body.length }
}

/**
 * Decodes the object of a server-side apply, in the background if it is large. It gets no defaults before the merge.
 */
export async function decodeApplyBody(
  registry: Registry,
  { body, resource }: SentBody,
  { fieldValidation }: WriteOptions,
): Promise<{ applied: ServerObject; duplicates: readonly string[] }> {
  if (isLargeBody(body) && registry.background) {
    const input = { ...sentResource(resource), body, fieldValidation }
    const made = await registry.background.run('readApplied', input)
    return { applied: takeMade(made, { warn: () => undefined }), duplicates: made.duplicates }
  }
  const { value, duplicates } = applyBody(body)
  if (fieldValidation === 'Strict') refuseDuplicates(duplicates)
  return { applied: appliedObject(value, resource), duplicates }
}
