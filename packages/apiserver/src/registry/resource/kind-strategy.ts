import type { Clock } from '@homeostat/api'
import type { ResetFields } from '../../fields/index.ts'
import type { FieldError, JsonObject, NameForm } from '../../schema/index.ts'
import type { Store } from '../../storage/index.ts'
import type { FieldLabels } from './field-labels.ts'
import type { ResourceDescription } from './resource-description.ts'
import type { ServerMeta, ServerObject } from './server-object.ts'
import type { Printer } from './table-printer.ts'

/** The context of a strategy's functions. */
export interface StrategyContext {
  readonly store: Store
  readonly clock: Clock
  readonly resource: ResourceDescription
  /** Whether the object is not stored. Default: false. */
  readonly dryRun?: boolean
  /** Adds a warning to the answer, also if the write fails. Default: the warning is dropped. */
  readonly warn?: (message: string) => void
}

/** The checks of a changed object, in the order of the causes in the answer. */
export type UpdateStep =
  /** All of its metadata, as of a new object. */
  | 'metadata'
  /** The immutable parts of its metadata. */
  | 'metadata change'
  /** The new object. */
  | 'object'
  /** The change. */
  | 'change'

/** A part of an object that is written through its own subresource, such as the `resize` of a Pod. */
export interface KindPart {
  /** Restores, in place, the fields that cannot be written through this subresource. */
  prepare(object: JsonObject, old: JsonObject, now: string): void
  /** Validates the change, besides `validate`, which checks the new object. */
  validate(object: JsonObject, old: JsonObject): FieldError[]
  /** Whether a change of this object is checked only by `validate` of this part. */
  replaces(old: JsonObject): boolean
}

/**
 * The behaviour of a kind: how its objects are defaulted, validated, prepared for the store and deleted. Every member
 * is optional: the default fits most kinds. Objects given to `default`, `dropDisabled`, `normalize`, `prepare…` and
 * `allocate` may be changed in place; old ones are frozen.
 */
export interface KindStrategy {
  // Names and versions

  /** Which names an object may have. Default: a DNS subdomain. */
  readonly names?: NameForm
  /** Whether the server checks only the name of an object, and not its `generateName`. Default: false. */
  readonly uncheckedGenerateName?: boolean
  /** Whether `generateName` is the whole name, to which nothing is added. Default: false. */
  readonly keepsGenerateName?: boolean
  /**
   * Whether the server counts generations: from the creation on, from the first change on, or never beyond the first.
   * Default: for custom kinds only.
   */
  readonly generation?: boolean | 'late' | 'first'
  /** Whether a change within metadata or status also counts as a generation. */
  counts?(object: ServerObject, old: ServerObject): boolean
  /** Whether an update may leave out the resourceVersion. Default: for native kinds only. */
  readonly unconditionalUpdate?: boolean
  /** Whether PUT creates an object that does not exist. Default: false. */
  readonly createOnUpdate?: boolean

  // Reading

  /** The labels of field selectors besides the name and the namespace. Default: none. */
  readonly fieldLabels?: FieldLabels
  /** The table of the kind. Default, for a native kind: names and times of creation. */
  readonly table?: Printer

  // Defaults and preparation

  /**
   * Fields that writes through a subresource do not change and do not own, by the name of the subresource; empty for
   * the object itself. Default: the status is written only through `status`, which writes nothing else.
   */
  readonly resetFields?: ResetFields

  /**
   * Sets the defaults that Kubernetes computes, after those of the schema, which for a native kind are its zero
   * values. A second call changes nothing.
   */
  default?(object: JsonObject): void
  /**
   * Drops fields of features that are off by default. As in Kubernetes, the field manager still owns such a field,
   * since it is dropped after the managed fields are recorded. A stored object may already use what an older release lacks.
   */
  dropDisabled?(object: JsonObject, old?: JsonObject): void
  /** Converts an object to the stored version and back; the field manager owns the fields that this adds. */
  normalize?(object: ServerObject): void
  /** Called before validation of a new object; no manager owns the fields that it adds. */
  prepareCreate?(object: ServerObject, context: StrategyContext): void
  /** Called before validation of a changed object, after status and metadata were restored. */
  prepareUpdate?(object: ServerObject, old: ServerObject, context: StrategyContext): void
  /**
   * Called before validation of an object whose status was written. Everything but its metadata and status is that of the stored
   * object, and frozen.
   */
  prepareStatus?(object: ServerObject, old: ServerObject, context: StrategyContext): void
  /**
   * Allocates unique values for the object, such as an address. Called before validation, and again before the write if the server
   * waited in between. No other write comes between the last call and this write, so that no value is allocated twice.
   */
  allocate?(object: ServerObject, old: ServerObject | undefined, context: StrategyContext): FieldError[]

  // Validation

  /** Throws a `Failure` where no object of the kind may be created now. */
  admitCreate?(metadata: ServerMeta, context: StrategyContext): void
  /**
   * Validates a new or changed object that has its defaults, except for its metadata; `old` is the stored object, if any. The schema of a
   * native kind refuses only wrong types: required fields, ranges and allowed values are checked here.
   */
  validate?(object: JsonObject, old?: JsonObject): FieldError[]
  /** Validates a change, besides `validate`, which checks the new object. Runs in the step `change` of `updateSteps`. */
  validateUpdate?(object: JsonObject, old: JsonObject): FieldError[]
  /** Validates a new status. */
  validateStatus?(object: JsonObject, old: JsonObject): FieldError[]
  /**
   * Validates what follows from other objects. Its errors come before those of `validate` and `validateStatus`;
   * `status` says which of them runs.
   */
  validateInStore?(
    object: ServerObject,
    old: ServerObject | undefined,
    context: StrategyContext & { readonly status: boolean },
  ): FieldError[]
  /** Parts that are written through their own subresources, by the names of these. */
  readonly parts?: Readonly<Record<string, KindPart>>
  /**
   * Which checks of a changed object run, and in which order. A step that is left out does not run: `validateUpdate`
   * needs `change`. Default: the change of metadata, the object, the change.
   */
  readonly updateSteps?: readonly UpdateStep[]
  /** Whether finalizers may do without a domain. Default: false. */
  readonly plainFinalizers?: boolean
  /** Whether a write of the status may set finalizers without a domain. Default: as every write. */
  readonly plainStatusFinalizers?: boolean
  /** Whether a new object's metadata is validated only when `validate` finds nothing. Default: false. */
  readonly metadataLast?: boolean
  /** Whether `validate` gets JavaScript numbers instead of exact ones. Default: false. */
  readonly nearestNumbers?: boolean
  /** The warnings for an object that is accepted. */
  warnings?(object: ServerObject, old: ServerObject | undefined): readonly string[]

  // Deletion

  /** Whether an object that is being deleted gets a deletionTimestamp and nothing else. Default: false. */
  readonly plainDeletion?: boolean
  /** Whether DELETE answers with the object rather than with a Status. Default: false. */
  readonly returnsDeleted?: boolean
  /** The propagation policy of a DELETE that names none. Default: `Background`. */
  readonly propagation?: 'Background' | 'Orphan' | 'Unsupported'
  /** The warning for a DELETE that names no propagation policy. */
  readonly deletionWarning?: string
  /** The grace period of a DELETE in seconds; 0 for none. */
  grace?(object: ServerObject, requested: bigint | undefined): bigint
  /** Called when the object is marked as deleted or removed. */
  prepareDelete?(object: ServerObject, context: StrategyContext): void
  /** A finalizer that the server itself adds to an object that is being deleted, and later removes. */
  readonly deletionFinalizer?: string
  /** Whether an object without finalizers may be removed. Default: after its grace period. */
  finished?(object: ServerObject): boolean
}
