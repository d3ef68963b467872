/**
 * Single requests to an API server: paths, queries, pages of a list, and failures as {@link ApiError}. The client and
 * the watch are built on them.
 */
export {
  ApiError,
  isAlreadyExists,
  isApplyConflict,
  isConflict,
  isExpired,
  isForbidden,
  isGone,
  isInvalid,
  isKindNotServed,
  isNotFound,
  isServerUnavailable,
  isTooManyRequests,
  isUnauthorized,
} from './api-error.ts'
export { hasInexactNumber, withExactNumbers } from './exact-numbers.ts'
export { KnownKinds } from './known-kinds.ts'
export { listPages, pagesOf } from './list-pages.ts'
export {
  checkWhole,
  isMetadataOnly,
  type KeptOf,
  metadataOnly,
  type MetadataOnly,
  type ObjectMetadata,
} from './metadata-only.ts'
export { Requester, statusOf, type RequestCaller, type RequestServer } from './requester.ts'
export { checkKey, collectionPath, objectPath, requiredNamespace, resourceName } from './route.ts'
export { replicasOf, scaleDocument } from './scale-object.ts'
export { selectorQuery, type Selection } from './selector-query.ts'
export { nameOf, typedObject } from './typed-object.ts'
