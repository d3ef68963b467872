/** An object that an event can be about: any that was read from a server. */
export interface EventObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string | undefined
    readonly uid?: string | undefined
    readonly resourceVersion?: string | undefined
  }
}

export interface EventOptions {
  /** The action of the controller, in UpperCamelCase. Default: `Reconcile`. */
  action?: string | undefined
  /** The part of the object that it is about, such as `spec.containers{web}`. Default: the whole. */
  fieldPath?: string | undefined
}

/**
 * Records what happened to an object, for people to see with `kubectl describe`. Events are written in the
 * background: one that cannot be written is logged, and never fails the reconcile. An event that repeats raises the
 * count of the first one.
 */
export interface EventRecorder {
  /** `reason` is one word in UpperCamelCase, such as `Created`; `note` is a sentence. */
  normal(object: EventObject, reason: string, note: string, options?: EventOptions): void
  /** Records something that a person should look at. The arguments are those of `normal`. */
  warning(object: EventObject, reason: string, note: string, options?: EventOptions): void
}
