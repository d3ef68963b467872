/** The objects that a page shows: watches of their kinds, which become entries of the recording. */
export { ObjectFeed } from './object-feed.ts'
export { relatedKinds } from './related-kinds.ts'
