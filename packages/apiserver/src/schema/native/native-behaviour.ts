import type { FieldError } from '../field-error.ts'
import type { JsonObject } from '../json.ts'

/** What Kubernetes does with objects of a native kind beyond what their schema says. */
export interface NativeBehaviour {
  /** Fills in, in place, what Kubernetes computes. Doing it twice changes nothing more. */
  default?(object: JsonObject): void
  /** What is wrong with an object that has its defaults, its metadata aside. */
  validate?(object: JsonObject): FieldError[]
  /** What is wrong with a change, besides what `validate` says of the new object. */
  validateUpdate?(object: JsonObject, old: JsonObject): FieldError[]
}
