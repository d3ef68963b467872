/**
 * Managed fields and server-side apply: which manager owns which field of an object, what an apply changes, and when
 * it is contested. Pure: values in, values out; SPEC.md has the rules. It works for any type whose schema is known.
 */
export { applyFields, applyFieldsInParts, type AppliedFields, type ApplyFields } from './apply-fields.ts'
export { conflictCauses, conflictMessage, type FieldConflict } from './conflict.ts'
export type { FieldsWrite } from './fields-context.ts'
export type { FieldsVersions } from './versions.ts'
export { fieldsAtPaths, type ResetFields } from './reset-fields.ts'
export { ConfigurationProblem, mergeConfiguration } from './merge.ts'
export { keepTimes, updateFields, updateFieldsInParts, type UpdateFields } from './update-fields.ts'
