import type { KubernetesObject } from '@homeostat/api'

/** One step of what is known about the objects of a kind. */
export type Delta<O = KubernetesObject> =
  /** All objects, at first and whenever the thread was lost: what is not among them is gone. */
  | {
      readonly type: 'listed'
      readonly objects: readonly O[]
      readonly resourceVersion: string
    }
  | { readonly type: 'added' | 'modified' | 'deleted'; readonly object: O }
  /** Nothing changed up to this version. */
  | { readonly type: 'bookmark'; readonly resourceVersion: string }
  /** The server does not serve the kind (now). */
  | { readonly type: 'missing'; readonly error: Error }
  /** The server did not answer, or not with what was asked; it will be asked again. */
  | { readonly type: 'failed'; readonly error: Error }
