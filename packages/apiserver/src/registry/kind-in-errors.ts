import type { Resource } from './resource.ts'

/** How a refused object's kind is called. Events are of the core group whichever way they come. */
export function kindInErrors({ group, kind, custom }: Resource): { group: string; kind: string } {
  return { group: kind === 'Event' && !custom ? '' : group, kind }
}
