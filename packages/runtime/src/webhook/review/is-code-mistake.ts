/** What elsewhere is a panic: a non-error, or an error by which the language itself says that the code is wrong. */
export function isCodeMistake(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return true
  return thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError
}
