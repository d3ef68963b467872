import type { Resource } from './resource.ts'

/** How a refused object's kind is called: by the group in which its objects are stored, whichever way they come. */
export function kindInErrors({ group, kind, collection }: Resource): { group: string; kind: string } {
  return { group: collection === undefined ? group : collection.slice(0, collection.indexOf('/')), kind }
}
