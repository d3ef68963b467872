/**
 * Whether a thrown value shows a mistake in the code, like a panic in Go: a value that is not an Error, or an error
 * of the language such as a TypeError.
 */
export function isCodeMistake(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return true
  return thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError
}
