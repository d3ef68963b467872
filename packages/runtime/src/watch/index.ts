/**
 * List and watch as one ordered sequence of deltas. It survives failures: expired versions, dead connections,
 * and kinds that are not served yet. It resumes, and uses bookmarks and watch-lists. SPEC.md lists its guarantees as
 * numbered rules.
 */
export type { Delta } from './delta.ts'
export { compareVersions } from './resource-version.ts'
export { followKind, watchKind, type WatchKindOptions } from './watch-kind.ts'
export type { FirstList } from './watch-state.ts'
