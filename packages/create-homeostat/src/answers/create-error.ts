/** A project that cannot be made. `code` is stable; the message names the remedy. */
export class CreateError extends Error {
  readonly code: 'USAGE' | 'FOLDER_NOT_EMPTY' | 'FOLDER_NOT_WRITABLE' | 'CANCELLED'

  constructor(code: CreateError['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CreateError'
    this.code = code
  }
}
