/** Structural schemas: the form that a CRD holds, and the builder that makes them with their types. */
export type { StructuralSchema, ValidationRule } from './structural.ts'
