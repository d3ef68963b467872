/**
 * Managed fields and server-side apply: which manager owns which field of an object, what an apply changes, and when
 * it conflicts. These are pure functions for any type with a schema; SPEC.md has the rules.
 */
export { applyFields, applyFieldsInParts, type AppliedFields, type ApplyFields } from './apply-fields.ts'
export { conflictCauses, conflictMessage, type FieldConflict } from './conflict.ts'
export type { FieldsWrite } from './fields-context.ts'
export type { FieldsVersions } from './versions.ts'
export { fieldsAtPaths, type ResetFields } from './reset-fields.ts'
export { ConfigurationProblem, mergeConfiguration } from './merge.ts'
export { keepTimes, updateFields, updateFieldsInParts, type UpdateFields } from './update-fields.ts'
