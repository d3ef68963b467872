import { formatKey, type KubernetesObject } from '@homeostat/api'
import type { Logger } from '../telemetry/logger.ts'
import type { ObjectReader } from '../watch/object-reader.ts'
import { ServedObject } from '../watch/served-object.ts'
import type { Transform } from './kind-options.ts'

/**
 * The object as a transform leaves it, as text if there is a reader. Its kind and what identifies it stay. What
 * the transform throws is logged, and the object kept whole: too much is better than none.
 */
export function transformed(
  object: ServedObject,
  transform: Transform<any> | undefined,
  log: Logger,
  reader?: ObjectReader,
): ServedObject {
  if (!transform) return object
  try {
    const { name, namespace, uid, resourceVersion } = object
    const parsed = object.parse()
    const { apiVersion, kind } = parsed
    const changed: KubernetesObject = transform(structuredClone(parsed))
    const result = {
      ...changed,
      apiVersion,
      kind,
      metadata: { ...changed.metadata, name, ...(namespace && { namespace }), uid, resourceVersion },
    }
    return reader ? reader.object(result) : ServedObject.of(result)
  } catch (error) {
    log.error(
      { error, object: formatKey(object) },
      'a transform of the cache threw; the object is kept as it came',
    )
    return object
  }
}
