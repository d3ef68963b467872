/** Kinds as values: types, routes, schemas and definitions of what an API serves. */
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
  MutableOf,
  ObjectOf,
  PrinterColumn,
  ReadMeta,
  ScaleSubresource,
  Scope,
  StatusOf,
} from './kind.ts'
export { nativeKind, type Native, type Review } from './native-kind.ts'
export type { DeepInput, DeepPartial, DeepReadonly } from './shapes.ts'
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
export { printKind, type PrintKindOptions } from './print-kind.ts'
export { compareKindVersions } from './version-order.ts'
