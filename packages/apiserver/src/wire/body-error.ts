/** Why a body cannot be read, in the words of a Kubernetes API server. Whoever knows what was expected answers with it. */
export class BodyError extends Error {
  /** What the body says that it is, where it could be read so far. */
  readonly said: { readonly kind: string; readonly version: string } | undefined

  constructor(message: string, said?: BodyError['said']) {
    super(message)
    this.said = said
  }
}

/**
 * How deep a body may be nested. Kubernetes goes ten times as far; here all that walks over objects calls itself, and the
 * stack is small.
 */
export const DEPTH_LIMIT = 1_000

/** The failure of a body that is nested too deep; `problem` where Go has words for it. */
export function tooDeep(
  problem = `the body of the request is nested deeper than ${DEPTH_LIMIT} levels`,
): BodyError {
  return new BodyError(problem)
}

const SHOWN = 30

/** The beginning of a body, for a message about it: as text where it looks like JSON. */
export function summarizeBody(body: Uint8Array): string {
  if (body.length === 0) return '<empty>'
  const start = body.subarray(0, SHOWN)
  const text =
    body[0] === 0x7b
      ? new TextDecoder().decode(start)
      : Array.from(start, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return body.length > SHOWN ? `${text} ...` : text
}
