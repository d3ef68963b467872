import type { Resource } from '../resource/resource.ts'
import type { ServerObject } from '../resource/server-object.ts'

/** The operation of a write. */
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** The kind of an object that a subresource accepts, where it differs from the resource's: a Scale, a Binding. */
export interface SubmittedKind {
  readonly group: string
  readonly version: string
  readonly kind: string
  /** Prunes and defaults an object of the kind. */
  complete(object: ServerObject): void
}

/** A write for admission plugins. */
export interface Proposal {
  readonly operation: Operation
  readonly resource: Resource
  readonly namespace?: string | undefined
  /** Empty where the server has not generated the name yet. */
  readonly name: string
  /** The subresource that is written, such as `status`. */
  readonly subresource?: string | undefined
  /** The kind of the objects, where it is not the resource's. */
  readonly submitted?: SubmittedKind | undefined
  /** The object as it should be stored, which `admit` may change in place. A deletion has none. */
  readonly object?: ServerObject | undefined
  /** The object as it is stored, which is frozen. A creation has none. */
  readonly old?: ServerObject | undefined
}

/**
 * The admission plugins, bound to the user who sends the write. Plugins reject a write by throwing a `Failure`. They may
 * wait, for a webhook say: the write holds no lock, and starts over if another write changed the object meanwhile.
 */
export interface Admission {
  /**
   * How `admit` may change the object of a proposal: not at all, so that it stays complete, or with unknown fields
   * and missing defaults.
   */
  changes(proposal: Proposal): 'nothing' | 'complete' | 'anything'
  /** The mutating phase, before validation. */
  admit(proposal: Proposal): void | Promise<void>
  /** The validating phase, after validation and before the object is stored. It changes nothing. */
  validate(proposal: Proposal): void | Promise<void>
  /**
   * The last phase, in one step with storing the object: nothing happens between them. It may reject the write. The
   * function that it returns is called once the object is stored, and never for a dry run.
   */
  commit(proposal: Proposal): (() => void) | undefined
}
