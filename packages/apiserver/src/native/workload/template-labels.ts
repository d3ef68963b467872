import { ensureObject } from '../../checks/index.ts'
import { isObject, type JsonObject, objectOf } from '../../schema/index.ts'

/**
 * Gives an object without labels those of its template. Kubernetes sets this default whenever it reads an object from its store:
 * an object that loses its labels by a write of its status has them again.
 */
export function defaultLabels(object: JsonObject): void {
  const { labels } = objectOf(objectOf(objectOf(object['spec'])['template'])['metadata'])
  if (!isObject(labels) || Object.keys(objectOf(objectOf(object['metadata'])['labels'])).length > 0) return
  ensureObject(object, 'metadata')['labels'] = { ...labels }
}
