import type { FieldError } from '../../schema/field-error.ts'
import type { JsonObject } from '../../schema/json.ts'

/** What is looked at when an object is changed, and in which order: the order of the causes in the answer. */
export type UpdateStep =
  /** All of its metadata, as of a new object. */
  | 'metadata'
  /** What of its metadata may not change. */
  | 'metadata change'
  /** The object as it is now. */
  | 'object'
  /** What changed. */
  | 'change'

/** A part of objects that has a door of its own. */
export interface NativePart {
  /** Puts back, in place, what cannot be written through this door. */
  prepare(object: JsonObject, old: JsonObject, now: string): void
  /** What is wrong with the change, besides what `validate` says of the new object. */
  validate(object: JsonObject, old: JsonObject): FieldError[]
  /** Whether nothing but that is said of a change of this object. */
  replaces(old: JsonObject): boolean
}

/** What Kubernetes does with objects of a native kind beyond what their schema says. */
export interface NativeBehaviour {
  /** Fills in, in place, what Kubernetes computes. Doing it twice changes nothing more. */
  default?(object: JsonObject): void
  /**
   * Drops, in place, fields of features that are not switched on. As in Kubernetes, the writer owns such a field all the
   * same, since it is dropped after the managed fields are recorded.
   */
  dropDisabled?(object: JsonObject): void
  /** What is wrong with an object that has its defaults, its metadata aside; `old` is what it was. */
  validate?(object: JsonObject, old?: JsonObject): FieldError[]
  /** What is wrong with a change, besides what `validate` says of the new object. */
  validateUpdate?(object: JsonObject, old: JsonObject): FieldError[]
  /** What is wrong with a new status. */
  validateStatus?(object: JsonObject, old: JsonObject): FieldError[]
  /** Parts that are written by themselves, by the names of their subresources. */
  readonly parts?: Readonly<Record<string, NativePart>>
  /** Default: the change of metadata, the object, the change. */
  readonly updateSteps?: readonly UpdateStep[]
  /** Whether finalizers may do without a domain. Default: false. */
  readonly plainFinalizers?: boolean
  /** Whether a new object is looked at by what all kinds have in common only after its own rules hold. */
  readonly metadataLast?: boolean
}
