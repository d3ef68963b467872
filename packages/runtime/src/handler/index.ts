/** Which requests an event means: the object itself, its owner, or what a function finds for it. */
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
