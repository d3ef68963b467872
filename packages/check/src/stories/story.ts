import type { Duration } from '@homeostat/api'
import type { PodBehaviour } from '@homeostat/cluster/testing'

/** An object as JSON, as a person would write it into a file. */
export interface PlainObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly [field: string]: unknown }
  readonly [field: string]: unknown
}

/** Which object is meant. */
export interface ObjectReference {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string | undefined
  readonly name: string
}

/** Where a field of an object stands: `['spec', 'replicas']`. */
export type FieldPath = readonly (string | number)[]

/** How a request of the operator fails. */
export type RequestFailure =
  /** The server refuses it with this HTTP code. */
  | 409
  | 429
  | 500
  | 503
  /** The request never reaches the server. */
  | 'not sent'
  /** The server executes the request, and the answer is lost. */
  | 'answer lost'

/**
 * One thing that happens in a run. Steps are plain JSON, so that a story can be kept, sent to another process and played
 * again. Only `rest`, `wait`, `stop` and `start` wait for the operator.
 */
export type Step =
  /** The user creates an object. If the step names an owner, the object is a child of that owner. */
  | {
      readonly step: 'create'
      readonly object: PlainObject
      readonly controlledBy?: ObjectReference | undefined
    }
  /**
   * The user replaces everything of an object but its metadata and status. With `mayBeRefused`, the story continues
   * without the change if the server refuses it.
   */
  | { readonly step: 'change'; readonly object: PlainObject; readonly mayBeRefused?: true }
  /** The user deletes an object. */
  | { readonly step: 'delete'; readonly object: ObjectReference }
  /** Another client deletes an object that the operator made. */
  | { readonly step: 'remove'; readonly object: ObjectReference }
  /** Another client sets a field of an object; `undefined` removes it. */
  | {
      readonly step: 'edit'
      readonly object: ObjectReference
      readonly path: FieldPath
      readonly value?: unknown
    }
  /** The same steps, one time after the other. */
  | { readonly step: 'repeat'; readonly times: number; readonly steps: Story }
  /** The story waits until the operator has nothing left to do. Retries and `requeueAfter` get ten minutes. */
  | { readonly step: 'rest' }
  /** Time passes. */
  | { readonly step: 'wait'; readonly duration: Duration }
  /** The operator's process ends gracefully. */
  | { readonly step: 'stop' }
  /** A new process of the operator starts. */
  | { readonly step: 'start' }
  /**
   * The process is killed at one of its next requests, counted from 1. A new process starts at once, or with
   * `staysDown` only at the next `start`.
   */
  | {
      readonly step: 'crash'
      readonly request: number
      readonly moment: 'before' | 'after'
      readonly staysDown?: true
    }
  /** One of the operator's next requests fails, counted from 1. */
  | { readonly step: 'fail'; readonly request: number; readonly failure: RequestFailure }
  /**
   * One of the operator's next requests, counted from 1, reaches the server half a minute late. Other reconciles
   * continue.
   */
  | { readonly step: 'slow'; readonly request: number }
  /** The operator's cache gets no more events of a kind. */
  | { readonly step: 'hold'; readonly kind: string }
  /** The next process first sees the kind as it is now: the server answers from a cache that is behind. */
  | { readonly step: 'stale'; readonly kind: string }
  /** The cache gets the events that it missed. */
  | { readonly step: 'release'; readonly kind: string }
  /** The checker records the state, and later compares it with the final state of the same run. */
  | { readonly step: 'note' }
  /** From now on Pods do this. */
  | { readonly step: 'pods'; readonly behaviour: PodBehaviour }

/** How long `rest` gives retries and `requeueAfter`. */
export const REST_DURATION: Duration = '10m'

/** The steps of a run, in order. */
export type Story = readonly Step[]

/** The object that a reference or an object itself names, as text: `ConfigMap default/web`. */
export function nameOf(object: ObjectReference | PlainObject): string {
  const { namespace, name } = 'metadata' in object ? object.metadata : object
  return `${object.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
}

/** `spec.ports[0].name` */
export function pathText(path: FieldPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(part)) return `${text}[${JSON.stringify(part)}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}

export function referenceTo({ apiVersion, kind, metadata }: PlainObject): ObjectReference {
  return { apiVersion, kind, namespace: metadata.namespace, name: metadata.name }
}
