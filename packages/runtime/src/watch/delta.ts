import type { KubernetesObject } from '@homeostat/api'

/** One element that a watch of a kind yields. */
export type Delta<O = KubernetesObject> =
  /** All objects, at first and whenever the watch could not be resumed: objects that are not in the list are gone. */
  | {
      readonly type: 'listed'
      readonly objects: readonly O[]
      readonly resourceVersion: string
    }
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: O }
  /** Nothing changed up to this version. */
  | { readonly type: 'bookmark'; readonly resourceVersion: string }
  /** The server does not serve the kind at the moment. */
  | { readonly type: 'missing'; readonly error: Error }
  /** The server did not answer, or not as expected; the request will be retried. */
  | { readonly type: 'failed'; readonly error: Error }
