/** JSON without loss: whole numbers of 64 bits, of which JavaScript's own hold 53. */
export { exactInteger, isExactNumber, nearestNumber, numberText, type ExactNumber } from './exact-number.ts'
export { parseJson } from './parse-json.ts'
export { stringifyJson } from './stringify-json.ts'
