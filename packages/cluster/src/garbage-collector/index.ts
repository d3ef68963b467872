/**
 * Deletes objects whose owners are gone, in the foreground or in the background, and knows the kinds whose objects can be deleted.
 * A cluster's controllers and an operator under test both run it.
 */
export { watchAllKinds, type FollowAllKinds } from './all-kinds.ts'
export { garbageCollector } from './garbage-collector.ts'
export { collectable } from './served-kinds.ts'
