/** The objects that a page shows: watches of their kinds, which become entries of the recording. */
export { namesOf } from './controller-kinds.ts'
export { ObjectFeed } from './object-feed.ts'
export { readRules, relatedKinds } from './related-kinds.ts'
