/**
 * Validation of custom resources by their structural schema, and of the schemas themselves: formats, patterns, list types, and
 * rules in CEL. It loads CEL and RE2, so that only late parts of the server import it.
 */
export { patterns } from './formats/patterns.ts'
export { parseFieldPath, structureProblem } from './rules/index.ts'
export { shownFields, shownSchema, shownVersions } from './rules/index.ts'
export { anySchema } from './any-schema.ts'
export { structuralErrors } from './structural-schema.ts'
export { validate, validateStatus, type ValidateOptions } from './validate.ts'
export { unknownFormats } from './formats/unknown-formats.ts'
