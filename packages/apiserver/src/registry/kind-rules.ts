import type { Clock } from '@homeostat/api'
import type { FieldError } from '../schema/field-error.ts'
import type { NameForm } from '../schema/object-meta.ts'
import type { Store } from '../storage/index.ts'
import type { FieldLabels } from './field-labels.ts'
import type { Resource } from './resource.ts'
import type { ServerObject } from './server-object.ts'

/** What the rules of a kind may look at. */
export interface RulesContext {
  readonly store: Store
  readonly clock: Clock
  readonly resource: Resource
  /** Whether nothing is stored in the end. Default: false. */
  readonly dryRun?: boolean
}

/**
 * What is special in a kind. Every part is optional: what is left out is the common behaviour. Objects
 * given to `prepare…` may be changed in place; the old ones are frozen.
 */
export interface KindRules {
  /**
   * Whether the server counts generations: from the start, from the first change on, or never beyond the first. Default: for
   * custom kinds only.
   */
  readonly generation?: boolean | 'late' | 'first'
  /** Whether an update may leave out the resourceVersion. Default: for native kinds only. */
  readonly unconditionalUpdate?: boolean
  /** Whether PUT makes an object that is not there. Default: false. */
  readonly createOnUpdate?: boolean
  /** Whether an object that is being deleted gets a deletionTimestamp and nothing else. Default: false. */
  readonly plainDeletion?: boolean
  /** Whether DELETE answers with the object rather than with a Status. Default: false. */
  readonly returnsDeleted?: boolean
  /** What happens to dependents when a DELETE does not say. Default: `Background`. */
  readonly propagation?: 'Background' | 'Orphan' | 'Unsupported'
  /** What is said to whoever deletes an object and does not say what happens to its dependents. */
  readonly deletionWarning?: string
  /** Which names an object may have. Default: a DNS subdomain. */
  readonly names?: NameForm
  /** What field selectors know besides the name and the namespace. Default: nothing. */
  readonly fieldLabels?: FieldLabels
  /** Whether a change counts as a generation besides one outside of metadata and status. */
  counts?(object: ServerObject, old: ServerObject): boolean
  /** Fills in what a version does not say of a new object; it belongs to the writer. */
  normalize?(object: ServerObject): void
  /** Before validation of a new object; what it adds belongs to nobody. */
  prepareCreate?(object: ServerObject, context: RulesContext): void
  /** Before validation of a changed object; status and metadata are taken care of already. */
  prepareUpdate?(object: ServerObject, old: ServerObject, context: RulesContext): void
  /** Before validation of an object whose status was written. */
  prepareStatus?(object: ServerObject, old: ServerObject, context: RulesContext): void
  /** What its writer is told of an object that is accepted. */
  warnings?(object: ServerObject, old: ServerObject | undefined): readonly string[]
  /** Rules that a schema cannot express and that need the server's state. */
  validate?(object: ServerObject, old: ServerObject | undefined, context: RulesContext): FieldError[]
  /**
   * Takes for the object what only one may have, such as an address. Nothing else happens between this
   * and the write, so that it cannot be taken twice.
   */
  allocate?(object: ServerObject, old: ServerObject | undefined, context: RulesContext): FieldError[]
  /** How many seconds the object stays after a DELETE for someone else to end it; 0 for none. */
  grace?(object: ServerObject, requested: bigint | undefined): bigint
  /** When the object is being marked as deleted, or about to go. */
  prepareDelete?(object: ServerObject, context: RulesContext): void
  /** A finalizer that the server itself puts on an object that is being deleted, and takes off again. */
  readonly deletionFinalizer?: string
  /** Whether an object whose last finalizer went may go. Default: when its grace is over. */
  finished?(object: ServerObject): boolean
}
