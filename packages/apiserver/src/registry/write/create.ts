import { pause } from '../../work/index.ts'
import { checkNamespace } from '../decode/check-identity.ts'
import { decodeAndDefaultBody } from '../decode/decode-write-body.ts'
import type { SentBody } from '../decode/object-body.ts'
import type { Registry } from '../state/registry.ts'
import type { ServerObject } from '../resource/server-object.ts'
import type { Place, WriteOptions } from '../request/target.ts'
import { Creation } from './creation.ts'
import { firstThenAgain } from './first-then-again.ts'
import { write } from './write.ts'
import type { Written } from './written.ts'

/** Creates the object in the body of a POST. */
export async function create(
  registry: Registry,
  place: Place,
  sent: SentBody,
  options: WriteOptions,
): Promise<Written> {
  const decode = async (): Promise<{ object: ServerObject; size: number }> => {
    const decoded = await decodeAndDefaultBody(registry, sent, options)
    options.decoded?.(decoded.object)
    checkNamespace(decoded.object.metadata, place.namespace)
    return decoded
  }
  const { object, size } = await decode()
  const paused = pause(size)
  if (paused) await paused
  const source = { change: firstThenAgain(object, decode) }
  const sized = { ...options, size }
  return write((attempt) => new Creation(registry, place, source, sized, attempt))
}
