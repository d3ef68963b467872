/**
 * List and watch as one ordered sequence of deltas that never ends on a failure: bookmarks, watch-lists,
 * resuming, expired versions, dead connections, kinds that are not served yet. SPEC.md numbers what it
 * promises.
 */
export type { Delta } from './delta.ts'
export { compareVersions } from './resource-version.ts'
export { followKind, watchKind, type WatchKindOptions } from './watch-kind.ts'
export type { FirstList } from './watch-state.ts'
