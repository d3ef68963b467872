import { HomeostatError } from '@homeostat/api'

/** The bytes of a connection are not SPDY, or exceed a limit. It ends the connection. */
export class SpdyError extends HomeostatError {
  override readonly name = 'SpdyError'

  constructor(message: string, options?: { cause?: unknown }) {
    super('SPDY_PROTOCOL', message, options)
  }
}
