/**
 * The base of every error that Homeostat throws itself. `code` is stable and documented; the message is for people:
 * what happened, to which object, and what to do next. The underlying error is the `cause`.
 */
export class HomeostatError extends Error {
  override readonly name: string = 'HomeostatError'
  readonly code: string

  constructor(code: string, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.code = code
  }
}
