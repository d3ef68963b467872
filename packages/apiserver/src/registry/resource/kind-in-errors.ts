import { textOf } from '../../schema/index.ts'
import type { Resource } from './resource.ts'

/**
 * How a refused object's kind is called: by the group in which its objects are stored, whichever way they come. A custom
 * object is called what it says.
 */
export function kindInErrors(resource: Resource, object?: Said): { group: string; kind: string } {
  const { group, kind, custom, collection } = resource
  if (custom && object) {
    const [first, second] = textOf(object.apiVersion).split('/')
    return { group: second === undefined ? '' : (first ?? ''), kind: textOf(object.kind) }
  }
  return { group: collection === undefined ? group : collection.slice(0, collection.indexOf('/')), kind }
}

interface Said {
  /** Absent where a patch took them away. */
  readonly kind?: unknown
  readonly apiVersion?: unknown
}
