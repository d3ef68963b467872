import { ensureObject } from '../../checks/index.ts'
import { isObject, type JsonObject, objectOf } from '../../schema/index.ts'

/**
 * Gives an object without labels those of its template. Kubernetes sets this default whenever it reads an object from its store:
 * an object that loses its labels by a write of its status has them again.
 */
export function defaultLabels(object: JsonObject): void {
  const { labels } = objectOf(objectOf(objectOf(object['spec'])['template'])['metadata'])
  if (!isObject(labels) || Object.keys(objectOf(objectOf(object['metadata'])['labels'])).length > 0) return
  const metadata = ensureObject(object, 'metadata')
  const copy = { ...labels }
  metadata['labels'] = copy
  if (metadata['name'] || !metadata['generateName']) following.add(copy)
}

/** The labels that objects got from their templates. */
const following = new WeakSet<object>()

/**
 * Whether an object shares the labels of its template, so that it gets those that the server adds there. As in Kubernetes, it does not where
 * its labels were sent, or where its name is generated.
 */
export function followTemplate(labels: unknown): boolean {
  return isObject(labels) && following.has(labels)
}
