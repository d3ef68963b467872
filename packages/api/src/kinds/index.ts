/** Kinds as values: types, routes, schemas and definitions of the kinds that an API serves. */
export type {
  AnyKind,
  AnyKindTypes,
  ApplyMeta,
  ApplyOf,
  CreateMeta,
  CreateOf,
  KeyOf,
  Kind,
  KindTypes,
  MergePatchOf,
  MutableOf,
  NamedTypes,
  NoStatus,
  NoWrites,
  ObjectOf,
  PatchMeta,
  PrinterColumn,
  ReadMeta,
  ScaleSubresource,
  Scope,
  SelectableFieldOf,
  StatusOf,
  StrategicPatchOf,
} from './kind.ts'
export { nativeKind, type Native, type NativeObject, type Review, type ReviewObject } from './native-kind.ts'
export type {
  DeepInput,
  DeepMergePatch,
  DeepPartial,
  DeepReadonly,
  DeepStrategicPatch,
  InputFields,
  MergePatchFields,
  PartialFields,
  ReadonlyFields,
  StrategicPatchFields,
} from './shapes.ts'
export {
  customResourceDefinition,
  type CustomResourceDefinitionManifest,
  type CustomResourceDefinitionOptions,
  type CustomResourceVersion,
} from './crd.ts'
export type { CustomResourceConversion, WebhookConversion } from './conversion.ts'
export { defineKind, type Defined, type KindDefinition } from './define-kind.ts'
export {
  kindFromCustomResourceDefinition,
  kindsFromCustomResourceDefinition,
  type CustomResourceDefinitionSource,
  type CustomResourceVersionSource,
} from './kind-from-crd.ts'
export type { KnownFields } from './known-fields.ts'
export { printKind, type PrintKindOptions } from './print-kind.ts'
export { compareKindVersions } from './version-order.ts'
