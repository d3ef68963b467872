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
export { nativeKind, type Native } from './native-kind.ts'
export type { DeepInput, DeepPartial, DeepReadonly } from './shapes.ts'
export {
  customResourceDefinition,
  type CustomResourceDefinitionManifest,
  type CustomResourceVersion,
} from './crd.ts'
export { defineKind, type Defined, type KindDefinition } from './define-kind.ts'
