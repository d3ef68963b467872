/**
 * A pattern that is made on first use. V8 checks the literal of a pattern when it reads the code around it; for one with classes of
 * characters, such as `\p{L}`, that takes half a millisecond.
 */
export function latePattern(source: string, flags: string): () => RegExp {
  let pattern: RegExp | undefined
  return () => (pattern ??= new RegExp(source, flags))
}
