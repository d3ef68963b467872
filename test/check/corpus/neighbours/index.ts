/** Operators in which one object changes what belongs to another. */
export { deletesByLabel } from './deletes-by-a-label-that-all-share.ts'
export { deletesByPrefix } from './deletes-whatever-begins-with-its-name.ts'
export { portsByPlace } from './gives-out-ports-by-counting.ts'
export { cachesByName } from './remembers-settings-by-name-alone.ts'
export { sharesNames } from './shares-names-between-namespaces.ts'
