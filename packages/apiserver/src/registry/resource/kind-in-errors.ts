import type { Resource } from './resource.ts'

/**
 * How a refused object's kind is called: by the group in which its objects are stored, whichever way they come. A custom
 * object is called what it says.
 */
export function kindInErrors(resource: Resource, said?: string): { group: string; kind: string } {
  const { group, custom, collection } = resource
  const kind = custom ? (said ?? resource.kind) : resource.kind
  return { group: collection === undefined ? group : collection.slice(0, collection.indexOf('/')), kind }
}
