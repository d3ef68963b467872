import { textOf } from '../../schema/index.ts'
import type { Resource } from './resource.ts'

/**
 * The kind of a refused object in messages: with the group in which its objects are stored. For a custom object, the
 * kind that it has itself.
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
  /** Absent where a patch removed them. */
  readonly kind?: unknown
  readonly apiVersion?: unknown
}
