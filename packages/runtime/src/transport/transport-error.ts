import { HomeostatError } from '@homeostat/api'

/** Why there was no answer. */
export type TransportErrorCode =
  | 'TRANSPORT_REFUSED'
  | 'TRANSPORT_HOST_UNKNOWN'
  | 'TRANSPORT_UNREACHABLE'
  | 'TRANSPORT_TIMEOUT'
  | 'TRANSPORT_CONNECTION_LOST'
  | 'TRANSPORT_PROTOCOL'
  | 'TRANSPORT_CREDENTIALS'
  | 'TRANSPORT_PROXY_REFUSED'
  | 'TRANSPORT_ANSWER_TOO_LARGE'
  | 'TRANSPORT_CLOSED'
  | 'TLS_UNTRUSTED'
  | 'TLS_NAME_MISMATCH'
  | 'TLS_EXPIRED'
  | 'TLS_NOT_YET_VALID'
  | 'TLS_CLIENT_REFUSED'
  | 'TLS_CLIENT_EXPIRED'

/** The server did not answer, or the answer broke off. */
export class TransportError extends HomeostatError {
  override readonly name = 'TransportError'
  override readonly code: TransportErrorCode

  constructor(code: TransportErrorCode, message: string, options?: { cause?: unknown }) {
    super(code, message, options)
    this.code = code
  }
}

/** Whether an error means that there was no complete answer, as opposed to an answer that reports a failure. */
export function isTransportError(error: unknown): error is TransportError {
  return error instanceof TransportError
}
