/**
 * Structural schemas: the form that a CRD holds, and the builder that makes them together with their
 * types. Made for what a CRD accepts, and nothing else.
 */
export { schema, type EmbeddedResource } from './schema-builder.ts'
export type { AnySchema, ReadOf, RuleOptions, Schema, WriteOf } from './schema.ts'
export type { StructuralSchema, ValidationRule } from './structural.ts'
