/**
 * The three kinds of patch that the API takes, each as a pure function from an object to an object, and
 * the merge patch between two objects. None of them changes its arguments, and all of them treat `__proto__` as an
 * ordinary key. They throw a `PatchError` for an invalid patch.
 */
export { createJsonPatch } from './create-json-patch.ts'
export { goQuote, goText } from './go-text.ts'
export {
  applyJsonPatch,
  jsonPatchSteps,
  MAX_JSON_PATCH_OPERATIONS,
  type JsonPatchOperation,
  type JsonPointer,
} from './json-patch.ts'
export { applyMergePatch, createMergePatch } from './merge-patch.ts'
export { PatchError } from './patch-error.ts'
export { patchSchemaOf, type PatchField, type PatchSchema, type PatchSchemaSource } from './patch-schema.ts'
export { applyStrategicMergePatch } from './strategic-merge-patch.ts'
