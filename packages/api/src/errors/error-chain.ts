/** The most errors in a chain. Longer chains do not help a reader. */
const LONGEST = 100

/**
 * The error and its causes, the outermost first. The list ends at a cause that is not an `Error`, at a cause that
 * is already in it, and after 100 errors: the causes of errors from other code may form a cycle or never end. Loops
 * over causes go through this function.
 */
export function errorChain(error: unknown): readonly Error[] {
  const chain: Error[] = []
  let current = error
  while (current instanceof Error && !chain.includes(current) && chain.length < LONGEST) {
    chain.push(current)
    current = causeOf(current)
  }
  return chain
}

/** A cause that throws when it is read counts as none. */
function causeOf(error: Error): unknown {
  try {
    return error.cause
  } catch {
    return undefined
  }
}
