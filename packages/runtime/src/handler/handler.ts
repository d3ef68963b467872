import type { AnyKind, KeyOf, ObjectKey } from '@homeostat/api'
import type { ObjectEvent } from '../cache/index.ts'
import type { Reader, CacheFields } from '../client/index.ts'

/** The context of a handler besides the event. `I` is the type of the fields that its client's lists can select by. */
export interface HandlerContext<I = CacheFields> {
  /** Reads from the cache, to find the objects that the event concerns. */
  readonly client: Reader<I>
  /** Aborts when the controller stops. */
  readonly signal: AbortSignal
}

/**
 * The compiler's message where a mapping returns the whole metadata of an object, which has more fields than a request.
 */
type KeyAlone = 'this is metadata: give its namespace and name, as keyOf(object) does'

/** A request that a mapping returns for an object that may have a namespace. */
export interface AnyRequest extends ObjectKey {
  readonly uid?: KeyAlone | undefined
}

/** A request that a mapping returns for an object in a namespace. */
export interface NamespacedRequest extends AnyRequest {
  readonly namespace: string
}

/** A request that a mapping returns for an object without a namespace. */
export interface ClusterRequest extends AnyRequest {
  readonly namespace?: undefined
}

/** A request that a mapping returns for an object of the kind. */
export type MappedRequest<K extends AnyKind> =
  KeyOf<K> extends ClusterRequest
    ? ClusterRequest
    : KeyOf<K> extends NamespacedRequest
      ? NamespacedRequest
      : AnyRequest

/** The requests that an event causes: none, one or several. */
export type Requests<R extends ObjectKey = ObjectKey> = R | readonly R[] | Iterable<R> | undefined

/**
 * Turns an event into requests. A handler that rejects is called again with the event, so that no event is lost.
 * `Owner` is the name of the kind whose objects the requests are for, if the handler knows it.
 */
export interface Handler<E = ObjectEvent, R extends ObjectKey = ObjectKey, Owner extends string = any> {
  requests(event: E, context: HandlerContext): Requests<R> | Promise<Requests<R>>
  /** Never present at run time: it carries the type. */
  readonly owner?: Owner | undefined
}

/**
 * The requests for an object, or for a value from a channel. On an update it is called twice, with the object before
 * and after the update, so the requests of the old object are included.
 */
export type Mapping<V, R extends ObjectKey = ObjectKey, I = CacheFields> = (
  value: V,
  context: HandlerContext<I>,
) => Requests<R> | Promise<Requests<R>>

/** A handler for events of a kind. */
export type KindHandler<
  K extends AnyKind,
  R extends ObjectKey = ObjectKey,
  Owner extends string = any,
> = Handler<ObjectEvent<K>, R, Owner>

/** The requests as a list. */
export function requestList(requests: Requests): readonly ObjectKey[] {
  if (requests === undefined) return []
  return Symbol.iterator in requests ? [...requests] : [requests]
}
