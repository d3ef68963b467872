import { HomeostatError } from '@homeostat/api'

/** What comes over a connection is not SPDY, or more of it than is taken. It ends the connection. */
export class SpdyError extends HomeostatError {
  override readonly name = 'SpdyError'

  constructor(message: string, options?: { cause?: unknown }) {
    super('SPDY_PROTOCOL', message, options)
  }
}
