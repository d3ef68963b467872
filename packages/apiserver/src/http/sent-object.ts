import { sentResource, takeMade } from '../registry/background.ts'
import { takeInInParts } from '../registry/incoming.ts'
import type { ServerObject } from '../registry/server-object.ts'
import type { WriteOptions } from '../registry/target.ts'
import { computed } from '../work/index.ts'
import type { Call } from './call.ts'
import { isLargeBody } from './large-body.ts'
import { appliedObject, readObjectBodyInParts, refuseDuplicates, sentBody } from './object-body.ts'
import { applyBody } from './patch-body.ts'

/** The object in the body of a create or an update, as the server works with it. */
interface SentObject {
  readonly object: ServerObject
  /** How long it is, as JSON in bytes: at least the length of its body, since defaults may have been filled in. */
  readonly size: number
}

/** Reads the object that a create or an update sends; a large one in the background. */
export async function sentObject(call: Call, options: WriteOptions): Promise<SentObject> {
  const { request, resource, registry } = call
  const sent = sentBody(call)
  const { body, contentType, namespace } = sent
  const large = isLargeBody(request)
  if (large && registry.background) {
    const { fieldValidation } = options
    const input = { ...sentResource(resource), body, contentType, namespace, fieldValidation }
    const made = await registry.background.run('read', input)
    return { object: takeMade(made, options), size: Math.max(body.length, made.object.length) }
  }
  const { object, duplicates } = await computed(readObjectBodyInParts(sent), large)
  await computed(takeInInParts(object, resource, options, duplicates), large)
  return { object, size: body.length }
}

/** Reads what a server-side apply sends; a large body in the background. */
export async function sentApply(
  call: Call,
  { fieldValidation }: WriteOptions,
): Promise<{ applied: ServerObject; duplicates: readonly string[] }> {
  const { request, resource, registry } = call
  if (isLargeBody(request) && registry.background) {
    const { body = new Uint8Array() } = request
    const input = { ...sentResource(resource), body, fieldValidation }
    const made = await registry.background.run('readApplied', input)
    return { applied: takeMade(made, { warn: () => undefined }), duplicates: made.duplicates }
  }
  const { value, duplicates } = applyBody(request.body)
  if (fieldValidation === 'Strict') refuseDuplicates(duplicates)
  return { applied: appliedObject(value, resource), duplicates }
}
