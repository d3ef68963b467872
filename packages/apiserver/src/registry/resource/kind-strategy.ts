import type { Clock } from '@homeostat/api'
import type { ResetFields } from '../../fields/index.ts'
import type { FieldError, JsonObject, NameForm } from '../../schema/index.ts'
import type { Store } from '../../storage/index.ts'
import type { FieldLabels } from './field-labels.ts'
import type { ResourceDescription } from './resource-description.ts'
import type { ServerMeta, ServerObject } from './server-object.ts'
import type { Printer } from './table-printer.ts'

/** What a strategy may look at besides the object. */
export interface StrategyContext {
  readonly store: Store
  readonly clock: Clock
  readonly resource: ResourceDescription
  /** Whether nothing is stored in the end. Default: false. */
  readonly dryRun?: boolean
}

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

/** A part of objects that is written through a subresource of its own, such as the `resize` of a Pod. */
export interface KindPart {
  /** Puts back, in place, what cannot be written through this subresource. */
  prepare(object: JsonObject, old: JsonObject, now: string): void
  /** What is wrong with the change, besides what `validate` says of the new object. */
  validate(object: JsonObject, old: JsonObject): FieldError[]
  /** Whether only `validate` of this part is asked about a change of this object. */
  replaces(old: JsonObject): boolean
}

/**
 * What the verbs must know about a kind: how its objects are defaulted, validated, prepared for the store and deleted. Every
 * member is optional: the default is what most kinds do. Objects given to `default`, `dropDisabled`, `normalize` and
 * `prepare…` may be changed in place; old ones are frozen.
 */
export interface KindStrategy {
  // Names and versions

  /** Which names an object may have. Default: a DNS subdomain. */
  readonly names?: NameForm
  /**
   * Whether the server counts generations: from the start, from the first change on, or never beyond the first. Default: for
   * custom kinds only.
   */
  readonly generation?: boolean | 'late' | 'first'
  /** Whether a change counts as a generation besides one outside of metadata and status. */
  counts?(object: ServerObject, old: ServerObject): boolean
  /** Whether an update may leave out the resourceVersion. Default: for native kinds only. */
  readonly unconditionalUpdate?: boolean
  /** Whether PUT makes an object that is not there. Default: false. */
  readonly createOnUpdate?: boolean

  // Reading

  /** What field selectors know besides the name and the namespace. Default: nothing. */
  readonly fieldLabels?: FieldLabels
  /** How objects become rows of a table. Default: of a native kind their names and when they were created. */
  readonly table?: Printer

  // What a write fills in

  /**
   * Fields that writes through a subresource leave as they are, so that the writer does not own them; by the name of the
   * subresource, empty for the object itself. Default: the status is written through `status` alone, and nothing else is.
   */
  readonly resetFields?: ResetFields

  /**
   * Fills in what Kubernetes computes, after the defaults of the schema: of a native kind, its zero values. Doing it twice
   * changes nothing more.
   */
  default?(object: JsonObject): void
  /**
   * Drops fields of features that are not switched on. As in Kubernetes, the writer owns such a field all the same, since it
   * is dropped after the managed fields are recorded.
   */
  dropDisabled?(object: JsonObject): void
  /** Brings an object into the form that its version gets by way of the stored one; the writer owns what that adds. */
  normalize?(object: ServerObject): void
  /** Before validation of a new object; no manager owns what it adds. */
  prepareCreate?(object: ServerObject, context: StrategyContext): void
  /** Before validation of a changed object; status and metadata are taken care of already. */
  prepareUpdate?(object: ServerObject, old: ServerObject, context: StrategyContext): void
  /** Before validation of an object whose status was written. */
  prepareStatus?(object: ServerObject, old: ServerObject, context: StrategyContext): void
  /**
   * Takes for the object what only one may have, such as an address. Nothing else happens between this
   * and the write, so that it cannot be taken twice.
   */
  allocate?(object: ServerObject, old: ServerObject | undefined, context: StrategyContext): FieldError[]

  // What a write is checked for

  /** Throws a `Failure` where no new object of the kind may be made at the moment. */
  admitCreate?(metadata: ServerMeta, context: StrategyContext): void
  /**
   * What is wrong with an object that has its defaults, its metadata aside; `old` is what it was. The schema of a native kind
   * refuses nothing but wrong types: required fields, ranges and allowed values are checked here.
   */
  validate?(object: JsonObject, old?: JsonObject): FieldError[]
  /** What is wrong with a change, besides what `validate` says of the new object. */
  validateUpdate?(object: JsonObject, old: JsonObject): FieldError[]
  /** What is wrong with a new status. */
  validateStatus?(object: JsonObject, old: JsonObject): FieldError[]
  /** Parts that are written by themselves, by the names of their subresources. */
  readonly parts?: Readonly<Record<string, KindPart>>
  /** Default: the change of metadata, the object, the change. */
  readonly updateSteps?: readonly UpdateStep[]
  /** Whether finalizers may do without a domain. Default: false. */
  readonly plainFinalizers?: boolean
  /** Whether a write of the status may set finalizers without a domain. Default: as every write. */
  readonly plainStatusFinalizers?: boolean
  /** Whether a new object's metadata is validated only when `validate` finds nothing. Default: false. */
  readonly metadataLast?: boolean
  /** Whether `validate` gets numbers as JavaScript has them, and not exactly. Default: false. */
  readonly nearestNumbers?: boolean
  /** The warnings for an object that is accepted. */
  warnings?(object: ServerObject, old: ServerObject | undefined): readonly string[]

  // Deletion

  /** Whether an object that is being deleted gets a deletionTimestamp and nothing else. Default: false. */
  readonly plainDeletion?: boolean
  /** Whether DELETE answers with the object rather than with a Status. Default: false. */
  readonly returnsDeleted?: boolean
  /** What happens to dependents when a DELETE does not say. Default: `Background`. */
  readonly propagation?: 'Background' | 'Orphan' | 'Unsupported'
  /** The warning for a client whose DELETE does not say what happens to dependents. */
  readonly deletionWarning?: string
  /** How many seconds the object stays after a DELETE until its kubelet, say, ends it; 0 for none. */
  grace?(object: ServerObject, requested: bigint | undefined): bigint
  /** When the object is being marked as deleted, or about to go. */
  prepareDelete?(object: ServerObject, context: StrategyContext): void
  /** A finalizer that the server itself puts on an object that is being deleted, and takes off again. */
  readonly deletionFinalizer?: string
  /** Whether an object whose last finalizer went may go. Default: when its grace is over. */
  finished?(object: ServerObject): boolean
}
