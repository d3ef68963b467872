/**
 * JSON without loss: whole numbers of 64 bits, of which JavaScript's own hold 53. And functions that test, copy, compare and freeze
 * JSON values.
 */
export { base64Problem } from './base64-problem.ts'
export { canonicalText } from './canonical-text.ts'
export { deepEqual } from './deep-equal.ts'
export { deepFreeze } from './deep-freeze.ts'
export { hasEscapedKey, parseWithKeys, readByKey } from './escaped-keys.ts'
export { exactInteger, isExactNumber, nearestNumber, numberText, type ExactNumber } from './exact-number.ts'
export { joinBytes } from './join-bytes.ts'
export { copyJson, getKey, isJsonObject, setKey, type JsonObject } from './json-value.ts'
export { oncePerObject } from './once-per-object.ts'
export { parseJson } from './parse-json.ts'
export { stringifyJson } from './stringify-json.ts'
