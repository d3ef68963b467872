/** Turns events into requests: for the object itself, for its owner, or for the objects that a function returns. */
export { forObject } from './for-object.ts'
export { forOwner, type ForOwnerOptions } from './for-owner.ts'
export { fromMap, fromValue } from './from-map.ts'
export {
  type Handler,
  type AnyRequest,
  type ClusterRequest,
  type HandlerContext,
  type MappedRequest,
  type NamespacedRequest,
  type KindHandler,
  type Mapping,
  type Requests,
} from './handler.ts'
