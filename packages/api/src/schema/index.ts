/**
 * Structural schemas: the form that a CRD holds, and the builder that makes them together with their
 * types. The builder makes only schemas that a CRD accepts.
 */
export { QUANTITY, schema, type EmbeddedResource } from './schema-builder.ts'
export type {
  AnySchema,
  Defaulted,
  Nullable,
  Optional,
  ReadOf,
  ReadShape,
  Shape,
  RuleOptions,
  Schema,
  WriteOf,
  WriteShape,
} from './schema.ts'
export type { ConditionsSchema } from './conditions-schema.ts'
export type { IntOrStringSchema } from './int-or-string-schema.ts'
export { nativeType, type NativeType } from './native-type.ts'
export { ruleProblems, schemaProblems } from './schema-problems.ts'
export type { ListSchema } from './list-schema.ts'
export type { MapSchema } from './map-schema.ts'
export type { NumberSchema } from './number-schema.ts'
export { requiredKeys, type ObjectSchema } from './object-schema.ts'
export type { PlainSchema } from './plain-schema.ts'
export type { StringSchema } from './string-schema.ts'
export type { StructuralSchema, ValidationRule } from './structural.ts'
export { unknownFields } from './unknown-fields.ts'
