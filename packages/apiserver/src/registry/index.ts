/**
 * The verbs of the API: reads, watches and the one path of every write. It uses the strategy of a kind, and knows no
 * kind by name. A read needs no pruning, defaults or validation: `objectRules` loads them with the first write.
 */
export type { Background, SentResource, TaskObject, Tasks } from './state/background.ts'
export { conversionFailure } from './conversion/conversion-failure.ts'
export type { ConvertObjects, ObjectsToConvert } from './conversion/convert-objects.ts'
export { checkName, checkNamespace } from './decode/check-identity.ts'
export { decodeAndDefault, type DecodeOptions } from './decode/decode-and-default.ts'
export { isLargeBody } from './decode/large-body.ts'
export {
  appliedObject,
  readObjectBody,
  refuseDuplicates,
  type Kind,
  type ObjectBody,
  type SentBody,
} from './decode/object-body.ts'
export { applyBody, patchBody } from './decode/patch-body.ts'
export { get, list, refuseOptions, type Listed, type ListOptions } from './read/read.ts'
export { selectionOf } from './read/selection.ts'
export { Watch, type WatchEvent } from './read/watch.ts'
export { Registry, keyIn, collectionOf, type ObservedChange } from './state/registry.ts'
export type { Admission, Operation, Proposal, SubmittedKind } from './request/admission.ts'
export type { PatchType, Place, Target, WriteOptions } from './request/target.ts'
export { LiveCatalogue } from './resource/catalogue.ts'
export { Failure, failureWithoutReason } from './resource/failure.ts'
export { fieldsAt, fieldAt } from './resource/field-labels.ts'
export { kindInErrors } from './resource/kind-in-errors.ts'
export type { KindStrategy, StrategyContext, KindPart } from './resource/kind-strategy.ts'
export { nativeCatalogue, type NativeKinds, type NativeReading } from './resource/native-catalogue.ts'
export type { ResourceDescription } from './resource/resource-description.ts'
export type { Resource, Catalogue } from './resource/resource.ts'
export {
  parseServerObject,
  specOf,
  storedObject,
  statusOf,
  textOf,
  type ServerObject,
  type ServerMeta,
} from './resource/server-object.ts'
export type { ColumnDefinition, Printer, PrintedObject, RowCondition } from './resource/table-printer.ts'
export { encodeObject, served, servedJson, servedItem, sharedEntry, convertedTo } from './stored/served.ts'
export { refuseUnstorable } from './stored/stored-size.ts'
export { objectRules } from './object-rules/lazy-object-rules.ts'
export type { WithoutEffect } from './state/effect-warnings.ts'
export { apply, applyTo, applySent } from './write/apply.ts'
export { create } from './write/create.ts'
export { remove, deleteObject } from './write/delete.ts'
export { deletedStatus, type DeleteOptions } from './write/deletion.ts'
export { createIfMissing, removeObject, replaceParts, type OwnObject } from './write/server-objects.ts'
export { loadWrites, ownWrites } from './own-writes/lazy-writes.ts'
export { fieldsWrite, manage } from './write/managed-fields.ts'
export { uid, generateName } from './write/names.ts'
export { NAMESPACES } from './write/namespace-place.ts'
export { nextGeneration, placeNew } from './write/written-metadata.ts'
export { patched, patch, applied } from './write/patch.ts'
export { applyScale, getScale, SCALE, updateScale, type WantedScale } from './write/scale.ts'
export {
  admitSubmission,
  prepareSubmitted,
  submittedKind,
  validateSubmission,
  type Submission,
} from './submission/submission.ts'
export { replace, update } from './write/update.ts'
export type { Written } from './write/written.ts'
