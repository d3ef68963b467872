import type { KubernetesObject } from '@homeostat/api'
import { type ObjectReader, ServedObject } from '../json/index.ts'
import type { Transform } from './kind-options.ts'

/**
 * The object as a transform leaves it, as text if there is a reader. Its kind and what identifies it stay. If the
 * transform throws, the object is kept unchanged.
 */
export function transformed(
  object: ServedObject,
  transform: Transform<any> | undefined,
  failed: (error: unknown) => void,
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
    failed(error)
    return object
  }
}
